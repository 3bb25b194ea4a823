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
  'sequence-alone',
  'forgets-cursor',
  'acknowledges-first',
  'doubles-inbound',
  'pace-forgotten',
  'moves-at-fetching',
];
/** A mutant that no other kind of run can notice. */
const KIND_OF_MUTANT = { 'moves-at-fetching': 'broadcasts' };
export const KINDS = ['attack', 'broadcasts', 'failover', 'kills', 'restore', 'upgrade'];

const REDIS_KINDS = ['single', 'cluster', 'sentinel'];

/** Enough faults to detect each mutant, because the attack aims at its weak point. */
const MUTANT_FAULTS = 40;

export const USAGE = `Usage: npm run torture [-- kind] [-- flags]

Attacks Kurir while it works: two apis, two workers, their own Postgres and Redis, and a network that keeps a journal.
Afterwards the records of the client, the database and the network must agree.

  attack            cause faults of all kinds, many at a time (the default)
  broadcasts        kill a worker --faults times while a broadcast to 2,500 people for each kill goes out, and somebody
                    pauses, resumes and changes it; then marketing, while its hours end and people opt out
  failover          measure how long devices are away after SIGKILL and SIGTERM of a worker, and after an
                    outage of Postgres or Redis
  kills             kill the only worker --faults times while people write a hundred messages a second
  restore           return Postgres --faults times to a moment in the middle of the load (default 2)
  upgrade           stop and start every program --faults times (default 1), one at a time, under load

  --faults N        how many faults, up to 100000 (default 100, which takes about four minutes)
  --from DIR        for upgrade: a built checkout of another version. Each round changes every program to the other version
  --seed S          selects the faults, their times and the messages (default 1); the same seed does the same again
  --seeds A,B,…     run with each of these seeds, one after the other
  --mutant NAME     break the product first: ${MUTANTS.slice(0, 4).join(', ')},
                    ${MUTANTS.slice(4, 8).join(', ')},
                    ${MUTANTS.slice(8, 12).join(', ')},
                    ${MUTANTS.slice(12).join(', ')}. The run succeeds if the attack detects it
  --mutants all     break the product in each of these ways, one after the other; or a list of names
  --pooler          put PgBouncer in transaction mode between the programs and Postgres
  --redis KIND      the Redis of the gateway: ${REDIS_KINDS.join(', ')} (default single). Faults of a Cluster and behind Sentinel
                    kill and pause a primary, and its replica takes its place
  --resume DIR      continue an interrupted run
  --keep            keep the folder of the run even if the attack found nothing
  --json            print the figures as JSON and nothing else on standard output
  --no-build        do not build; everything is built already
  --help            print this text

Exit codes: 0 if every figure from "lost" on is 0. 1 if one is not; the folder of the run is kept. 2 for wrong
arguments. 3 if the attack itself could not continue.
`;

const FLAGS = {
  redis: { type: 'string', default: 'single' },
  faults: { type: 'string' },
  from: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  mutant: { type: 'string' },
  mutants: { type: 'string' },
  pooler: { type: 'boolean', default: false },
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

const FAULTS_OF_KIND = { restore: 2, upgrade: 1 };

function faultsIn({ faults }, kind, mutant) {
  if (faults === undefined) return mutant === null ? (FAULTS_OF_KIND[kind] ?? 100) : MUTANT_FAULTS;
  if (!/^[1-9]\d{0,4}$|^100000$/.test(faults))
    throw new UsageError('--faults must be a whole number from 1 to 100000.');
  return Number(faults);
}

function newRuns(chosen, values) {
  return mutantsIn(values).flatMap((mutant) =>
    seedsIn(values).map((seed) => {
      const kind = KIND_OF_MUTANT[mutant] ?? chosen;
      const { pooler, redis } = values;
      const from = values.from === undefined ? null : resolve(values.from);
      const faults = faultsIn(values, kind, mutant);
      const name = [
        kind === 'attack' ? null : kind,
        redis === 'single' ? null : redis,
        mutant,
        pooler ? 'pooler' : null,
        `seed-${seed}`,
      ]
        .filter(Boolean)
        .join('-');
      const directory = join(defaultStateDir, 'torture', `${name}-${process.pid}`);
      return { kind, name, directory, seed, faults, mutant, pooler, redis, from, resume: false };
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
  if (!REDIS_KINDS.includes(values.redis)) throw new UsageError(`There is no Redis ${values.redis}.`);
  if (values.help) return { help: true, runs: [] };
  const runs = values.resume === undefined ? newRuns(kind, values) : [resumedRun(values)];
  const { json, keep } = values;
  return { help: false, build: !values['no-build'], runs: runs.map((run) => ({ ...run, json, keep })) };
}
