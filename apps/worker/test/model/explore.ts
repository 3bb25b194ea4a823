/** So many random runs from one seed; the first that breaks a promise is shrunk and can be replayed. */
import fc from 'fast-check';
import { anyCommand, type Command, watch } from './commands.js';
import { type MutantName, mutate } from './mutants.js';
import { settleDown } from './settle-down.js';
import type { StoppedClock } from './stopped-clock.js';
import { type Setting, World } from './world.js';

export type Exploration = {
  readonly runs: number;
  readonly seed: number;
  /** Of a failing case, as it was printed. */
  readonly path?: string;
  readonly replayPath?: string;
  readonly mutant?: MutantName | null;
  /** Told after every run. */
  readonly onRun?: () => void;
};

export type Failure = {
  readonly seed: number;
  readonly path: string;
  readonly replayPath: string;
  /** The device keeps a pace: one message a turn. */
  readonly paced: boolean;
  readonly commands: readonly string[];
  readonly reason: string;
};

const longestRun = 30;
const replayPathIn = /replayPath="([^"]*)"/;

async function run(clock: StoppedClock, setting: Setting, commands: Iterable<Command>): Promise<void> {
  const watched = watch(await World.begin(clock, setting));
  await fc.asyncModelRun(() => ({ model: watched, real: watched }), commands);
  await settleDown(watched.world, watched.verifier);
}

/** What broke, or null when nothing did. */
export async function explore(clock: StoppedClock, exploration: Exploration): Promise<Failure | null> {
  const { runs, seed, path, replayPath, mutant = null, onRun } = exploration;
  const lives = fc.commands([anyCommand], {
    maxCommands: longestRun,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  const rewrite = mutate(mutant);
  const property = fc.asyncProperty(lives, fc.boolean(), async (commands, paced) => {
    await run(clock, { rewrite, paced }, commands);
    onRun?.();
  });
  const details = await fc.check(property, { numRuns: runs, seed, ...(path === undefined ? {} : { path }) });
  if (!details.failed) return null;
  const printed = fc.stringify(details.counterexample?.[0]);
  return {
    seed,
    path: details.counterexamplePath ?? '',
    replayPath: replayPathIn.exec(printed)?.[1] ?? '',
    paced: details.counterexample?.[1] === true,
    commands: printed.replace(/\/\*.*\*\//, '').split(/(?<=[\]}\d]|null),(?=[a-z])/),
    reason:
      details.errorInstance instanceof Error
        ? (details.errorInstance.stack ?? details.errorInstance.message)
        : String(details.errorInstance),
  };
}
