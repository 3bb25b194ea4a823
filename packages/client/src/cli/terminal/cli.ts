/** Everything that a command of `kurir` uses: a client that is made from the settings, and functions that print. */
import type { Command } from 'commander';
import pc from 'picocolors';
import { createClient, type KurirClient } from '../../calls/client.js';
import { type Clock, systemClock } from '../../calls/clock.js';
import { toSnakeCase } from '../../contract/wire-case.js';
import type { ExitCode } from './exit-codes.js';
import { type Environment, readSettings, type Settings } from './read-settings.js';

export type Output = { write(text: string): unknown; readonly isTTY?: boolean | undefined };

/** The streams, folder and clock of the command. Tests bring their own. */
export type Surroundings = {
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly folder: string;
  /** The version of this package. */
  readonly version: string;
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Calls `stop` when a person ends the command. A command that does not ask ends at once. */
  readonly onInterrupt?: (stop: () => void) => void;
};

export type GlobalOptions = { json?: boolean; device?: string[] };

/** The devices of `--device`, which may stand several times. */
export const devicesOf = (command: Command): readonly string[] => command.optsWithGlobals<GlobalOptions>().device ?? [];

/** For commands of one device, the last `--device` counts. */
export const deviceOf = (command: Command): string | undefined => devicesOf(command).at(-1);

export type Cli = {
  /** The words of the command line after `kurir`. */
  readonly args: readonly string[];
  readonly client: KurirClient;
  readonly settings: Settings;
  readonly json: boolean;
  readonly paint: ReturnType<typeof pc.createColors>;
  readonly clock: Clock;
  readonly surroundings: Surroundings;
  /** Prints the result on stdout: with --json in the form of the API, otherwise for people. */
  print(data: object, lines: () => readonly string[]): void;
  /** Prints progress and remarks on stderr. Prints nothing with --json. */
  say(text: string): void;
  exitWith(code: ExitCode): void;
};

/** Begins a command: reads the settings and the options that all commands share. */
export type Begin = (command: Command) => Cli;

export function createBegin(
  args: readonly string[],
  surroundings: Surroundings,
  exitWith: (code: ExitCode) => void,
): Begin {
  return (command) => {
    const { json = false } = command.optsWithGlobals<GlobalOptions>();
    const found = readSettings(surroundings.folder, surroundings.environment);
    const settings = { ...found, deviceId: deviceOf(command) ?? found.deviceId };
    const clock = surroundings.clock ?? systemClock;
    const client = createClient({ ...settings, deviceId: settings.deviceId ?? undefined, clock });
    return {
      args,
      client,
      settings,
      json,
      paint: pc.createColors(surroundings.stdout.isTTY === true && pc.isColorSupported),
      clock,
      surroundings,
      print(data, lines) {
        const text = json ? JSON.stringify(toSnakeCase(data), null, 2) : lines().join('\n');
        surroundings.stdout.write(`${text}\n`);
      },
      say(text) {
        if (!json) surroundings.stderr.write(`${text}\n`);
      },
      exitWith,
    };
  };
}
