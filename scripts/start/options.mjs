// The flags of `npm start` and the addresses that follow from the environment.
import { parseArgs } from 'node:util';
import { freePort, isFree, preferPort } from '../local/ports.mjs';

export const HELP = `Usage: npm start [-- flags]

Starts Kurir on this machine: Postgres, Redis, a simulated messaging network, the worker and the api. It makes a demo
account with a key and a linked device. The data stays in .kurir/ and survives a restart. ^C stops everything.

Flags
  --whatsapp-relay  also start a pretend WhatsApp with phones to link and to write to. It has its own database, so that
                    devices of the two networks stay apart. "npm run phone -- --help" lists the commands of its phones
  --verbose         show every log line (the log files in .kurir/logs/ always get them)
  --reset           delete the local data first
  --help            print this text

Environment
  PORT           the port of the api; 0 means any free port. The default is 3000, or another port if that is taken
  KURIR_HOST     the loopback address to listen on (default 127.0.0.1)
  DATABASE_URL   use this Postgres and start none
  REDIS_URL      use this Redis and start none
  Other settings (docs/configuration.md) go to the api and the worker.`;

/** A mistake in the command line. It is shown without a stack. */
export class UsageError extends Error {}

export function parseFlags(argv) {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        verbose: { type: 'boolean', default: false },
        'whatsapp-relay': { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${HELP}`, { cause: error });
  }
}

/**
 * Returns `{ports, host, baseUrl, pagesUrl, remark}`. Programs use `baseUrl`. People use `pagesUrl`: browsers allow passkeys
 * at `localhost`, and at no IP address. Rejects if PORT is wrong or taken.
 */
export async function chooseAddresses(env, preferred) {
  const host = env.KURIR_HOST || '127.0.0.1';
  const { port, remark } = await choosePort(env.PORT, preferred.api, host);
  const ports = {
    api: port,
    worker: await preferPort(preferred.worker),
    simulator: await preferPort(preferred.simulator),
    ...(preferred.relay === undefined ? {} : { relay: await preferPort(preferred.relay) }),
  };
  const baseUrl = `http://${reachable(host)}:${port}`;
  const pagesUrl = baseUrl.replace('//127.0.0.1:', '//localhost:');
  return { ports, host, baseUrl, pagesUrl, remark };
}

/** The pretend WhatsApp logs out unknown devices, and your own database may contain devices of the real one. */
export function refuseForeignDatabase(env) {
  if (env.DATABASE_URL)
    throw new UsageError('--whatsapp-relay has a database of its own: start it without DATABASE_URL.');
}

async function choosePort(wanted, preferred, host) {
  if (wanted === undefined || wanted === '') {
    if (await isFree(preferred, host)) return { port: preferred };
    const port = await freePort(host);
    return { port, remark: `Port ${preferred} is taken, so the api is on ${port}. PORT=… chooses one.` };
  }
  const port = Number(wanted);
  if (!/^\d+$/.test(wanted) || port > 65_535)
    throw new UsageError(`PORT is "${wanted}", which is not a port (0 to 65535).`);
  if (port === 0) return { port: await freePort(host) };
  if (await isFree(port, host)) return { port };
  throw new UsageError(
    `PORT ${port} cannot be used on ${host}: another program has it. Choose another, or PORT=0 for any.`,
  );
}

/** Returns the address to call for an address to listen on. */
function reachable(host) {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
