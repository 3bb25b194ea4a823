// The arguments of `npm run torture`, as a list of runs.
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readJson } from '../state/json-file.mjs';
import { defaultStateDir } from '../local/paths.mjs';

export class UsageError extends Error {}

export const MUTANTS = [
  'random-id',
  'no-sweep',
  'async-commit',
  'stall-limit',
  'no-lease',
  'answer-first',
  'waits-for-tcp',
  'bullmq-6-2',
  'no-contact-limit',
  'pace-forgotten',
];
export const KINDS = ['attack', 'failover', 'upgrade'];

/** Enough for each mutant to be seen; they are attacked where they are weak. */
const MUTANT_FAULTS = 40;

export const USAGE = `Usage: npm run torture [-- kind] [-- flags]

Attacks Kurir while it works: two apis, two workers, a Postgres and a Redis of its own, and a network that keeps a
journal. Afterwards the records of the client, the database and the network must agree.

  attack            faults of all kinds, many at a time (the default)
  failover          how long devices are away after SIGKILL and SIGTERM of a worker, and after Postgres and Redis
  upgrade           every program ended and started again, one at a time, under load

  --faults N        faults, up to 100000 (default 100: some four minutes)
  --seed S          decides which faults, when, and what is sent (default 1); the same seed does the same again
  --seeds A,B,…     one run after the other
  --mutant NAME     break the product first: ${MUTANTS.slice(0, 4).join(', ')},
                    ${MUTANTS.slice(4, 8).join(', ')},
                    ${MUTANTS.slice(8).join(', ')}. Succeeds when the attack sees it
  --mutants all     each of them, one after the other; or a list
  --resume DIR      go on with a run that was broken off
  --keep            keep the run's folder also when nothing was found
  --json            print the figures as JSON and nothing else on standard output
  --no-build        everything is built already
  --help            this text

Exit code 0: every figure from "lost" on is 0. 1: one is not; the run's folder is kept. 2: wrong arguments.
3: the attack itself could not go on.
`;

const FLAGS = {
  faults: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  mutant: { type: 'string' },
  mutants: { type: 'string' },
  resume: { type: 'string' },
  keep: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'no-build': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parse(args) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function seedsIn({ seed, seeds }) {
  const list = (seeds ?? seed ?? '1').split(',');
  const wrong = list.find((text) => !/^[\w-]{1,32}$/.test(text));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no seed: up to 32 letters, digits, - and _.`);
  return list;
}

function mutantsIn({ mutant, mutants }) {
  const list = mutants === 'all' ? MUTANTS : (mutants ?? mutant)?.split(',');
  if (list === undefined) return [null];
  const unknown = list.find((name) => !MUTANTS.includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no mutant ${unknown}.`);
  return list;
}

function faultsIn({ faults }, mutant) {
  if (faults === undefined) return mutant === null ? 100 : MUTANT_FAULTS;
  if (!/^[1-9]\d{0,4}$|^100000$/.test(faults))
    throw new UsageError('--faults must be a whole number from 1 to 100000.');
  return Number(faults);
}

function newRuns(kind, values) {
  return mutantsIn(values).flatMap((mutant) =>
    seedsIn(values).map((seed) => {
      const name = [kind === 'attack' ? null : kind, mutant, `seed-${seed}`].filter(Boolean).join('-');
      const directory = join(defaultStateDir, 'torture', `${name}-${process.pid}`);
      return { kind, name, directory, seed, faults: faultsIn(values, mutant), mutant, resume: false };
    }),
  );
}

function resumedRun(values) {
  const directory = resolve(values.resume);
  if (!existsSync(join(directory, 'run.json'))) throw new UsageError(`${directory} holds no run.`);
  return { ...readJson(join(directory, 'run.json')), directory, name: basename(directory), resume: true };
}

export function parseArguments(args) {
  const { values, positionals } = parse(args);
  const [kind = 'attack', ...more] = positionals;
  if (!KINDS.includes(kind) || more.length > 0) throw new UsageError(`There is no ${positionals.join(' ')}.`);
  if (values.help) return { help: true, runs: [] };
  const runs = values.resume === undefined ? newRuns(kind, values) : [resumedRun(values)];
  const { json, keep } = values;
  return { help: false, build: !values['no-build'], runs: runs.map((run) => ({ ...run, json, keep })) };
}
