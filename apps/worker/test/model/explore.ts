/** Explores random runs from one seed. The first run that breaks a promise is shrunk, and can be replayed. */
import fc from 'fast-check';
import { anyCommand, type Command, watch } from './commands.js';
import { type MutantName, mutate } from './mutants.js';
import { finishRun } from './finish-run.js';
import type { StoppedClock } from './stopped-clock.js';
import { type Setting, World } from './world.js';

export type Exploration = {
  readonly runs: number;
  readonly seed: number;
  /** The printed path of a failing run. */
  readonly path?: string;
  readonly replayPath?: string;
  readonly mutant?: MutantName | null;
  /** If given, receives each named statement of the product. */
  readonly statements?: Map<string, string>;
  /** Called after each run. */
  readonly onRun?: () => void;
};

export type Failure = {
  readonly seed: number;
  readonly path: string;
  readonly replayPath: string;
  /** The device keeps a pace, types, and may write to one new contact a day. */
  readonly polite: boolean;
  readonly commands: readonly string[];
  readonly reason: string;
};

const longestRun = 30;
const replayPathIn = /replayPath="([^"]*)"/;

async function run(clock: StoppedClock, setting: Setting, commands: Iterable<Command>): Promise<void> {
  const watched = watch(await World.begin(clock, setting));
  await fc.asyncModelRun(() => ({ model: watched, real: watched }), commands);
  await finishRun(watched.world, watched.verifier);
}

/** Returns the first failure, or null if no promise broke. */
export async function explore(clock: StoppedClock, exploration: Exploration): Promise<Failure | null> {
  const { runs, seed, path, replayPath, mutant = null, onRun, statements } = exploration;
  const seen = (name: string | undefined, text: string) => {
    if (name !== undefined) statements?.set(name, text);
    return text;
  };
  const arbitraryRun = fc.commands([anyCommand], {
    maxCommands: longestRun,
    size: 'max',
    ...(replayPath === undefined ? {} : { replayPath }),
  });
  const { sql, rewrite, idle } = mutate(mutant);
  if (sql !== null) await clock.database.pool.query(sql);
  const property = fc.asyncProperty(arbitraryRun, fc.boolean(), async (commands, polite) => {
    await run(clock, { rewrite: (name, text) => rewrite(name, seen(name, text)), polite }, commands);
    onRun?.();
  });
  const details = await fc.check(property, { numRuns: runs, seed, ...(path === undefined ? {} : { path }) });
  if (idle().length > 0 && !details.failed) throw new Error(`mutant ${mutant}: nobody asked for ${idle().join(', ')}`);
  if (!details.failed) return null;
  const printed = fc.stringify(details.counterexample?.[0]);
  return {
    seed,
    path: details.counterexamplePath ?? '',
    replayPath: replayPathIn.exec(printed)?.[1] ?? '',
    polite: details.counterexample?.[1] === true,
    commands: printed.replace(/\/\*.*\*\//, '').split(/(?<=[\]}\d]|null),(?=[a-z])/),
    reason:
      details.errorInstance instanceof Error
        ? (details.errorInstance.stack ?? details.errorInstance.message)
        : String(details.errorInstance),
  };
}
