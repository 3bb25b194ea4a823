// The programs that `npm start` runs, in the order in which they start; they stop in the reverse order.
// Each is one entry: what to run, what it is given, and the address that answers 200 once it works.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * For Node when it runs api or worker; docker-compose.yml and Dockerfile have the same. With pretenuring, V8 allocates
 * short-lived objects of the api in the old generation, where they keep alive whatever they refer to.
 */
export const NODE_FLAGS = JSON.parse(readFileSync(new URL('../node-flags.json', import.meta.url), 'utf8'));

/** Ports that are taken when they are free, so that addresses stay the same from one start to the next. */
export const PREFERRED_PORTS = { api: 3000, worker: 3001, simulator: 3002, relay: 3003 };

/**
 * @param context `{ports: {api, worker, simulator}, host, baseUrl, publicUrl, stateDir, settings}`; `settings` are the
 *   connection strings and keys that api and worker read
 */
export function programs({ ports, host, baseUrl, publicUrl, stateDir, settings }) {
  return [
    {
      name: 'simulator',
      entry: 'packages/network-simulator/dist/main.js',
      args: simulatorArgs(ports.simulator, join(stateDir, 'simulator', 'journal.jsonl')),
      env: null, // it reads no settings and is given no key
      ready: `http://127.0.0.1:${ports.simulator}/health/ready`,
    },
    {
      name: 'worker',
      entry: 'apps/worker/dist/main.js',
      nodeFlags: NODE_FLAGS,
      args: [],
      env: { ...settings, KURIR_HEALTH_PORT: String(ports.worker) },
      ready: `http://127.0.0.1:${ports.worker}/health/ready`,
    },
    {
      name: 'api',
      entry: 'apps/api/dist/main.js',
      nodeFlags: NODE_FLAGS,
      args: [],
      env: { ...settings, PORT: String(ports.api), KURIR_HOST: host, KURIR_PUBLIC_URL: publicUrl },
      ready: `${baseUrl}/health/ready`,
    },
  ];
}

/** The pretend WhatsApp, whose address and root key the worker is given once it stands. */
export function relayProgram({ ports, stateDir }) {
  const base = `http://127.0.0.1:${ports.relay}`;
  return {
    name: 'whatsapp',
    entry: 'packages/whatsapp-relay/dist/main.js',
    args: ['--port', String(ports.relay), '--state', join(stateDir, 'whatsapp-relay', 'state')],
    env: null,
    ready: `${base}/`,
    base,
  };
}

const simulatorArgs = (port, journal) => ['--host', '127.0.0.1', '--port', String(port), '--journal', journal];

export const DEMO = { entry: 'apps/api/dist/admin.js', args: ['demo', '--json'] };
