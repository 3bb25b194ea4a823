// The programs of `npm start`, in the order of their start. They stop in the reverse order. Each entry says what to
// run, with which environment, and which address returns 200 when the program is ready.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The flags of Node for api and worker. docker-compose.yml and Dockerfile have the same flags. With pretenuring, V8
 * allocates short-lived objects of the api in the old generation. There they keep alive whatever they refer to.
 */
export const NODE_FLAGS = JSON.parse(readFileSync(new URL('../node-flags.json', import.meta.url), 'utf8'));

/** Used if they are free, so that addresses stay the same from one start to the next. */
export const PREFERRED_PORTS = { api: 3000, worker: 3001, simulator: 3002, relay: 3003 };

/**
 * @param context `{ports: {api, worker, simulator}, host, baseUrl, publicUrl, stateDir, instance, settings}`. `settings` are
 * the connection strings and keys that api and worker read. The programs return `instance` when they are ready, so that the
 * launcher does not take another start's program for its own.
 */
export function programs({ ports, host, baseUrl, publicUrl, stateDir, instance, settings }) {
  return [
    {
      name: 'simulator',
      entry: 'packages/network-simulator/dist/main.js',
      args: simulatorArgs(ports.simulator, join(stateDir, 'simulator', 'journal.jsonl'), instance),
      env: null, // it reads no settings and must not get a key
      ready: `http://127.0.0.1:${ports.simulator}/health/ready`,
    },
    {
      name: 'worker',
      entry: 'apps/worker/dist/main.js',
      nodeFlags: NODE_FLAGS,
      args: [],
      env: { ...settings, KURIR_INSTANCE: instance, KURIR_HEALTH_PORT: String(ports.worker) },
      ready: `http://127.0.0.1:${ports.worker}/health/ready`,
    },
    {
      name: 'api',
      entry: 'apps/api/dist/main.js',
      nodeFlags: NODE_FLAGS,
      args: [],
      env: {
        ...settings,
        KURIR_INSTANCE: instance,
        PORT: String(ports.api),
        KURIR_HOST: host,
        KURIR_PUBLIC_URL: publicUrl,
      },
      ready: `${baseUrl}/health/ready`,
    },
  ];
}

/** The pretend WhatsApp. When it runs, the worker gets its address and its root key. */
export function relayProgram({ ports, stateDir, instance }) {
  const base = `http://127.0.0.1:${ports.relay}`;
  return {
    name: 'whatsapp',
    entry: 'packages/whatsapp-relay/dist/main.js',
    args: ['--port', String(ports.relay), '--state', join(stateDir, 'whatsapp-relay', 'state'), '--instance', instance],
    env: null,
    ready: `${base}/`,
    base,
  };
}

function simulatorArgs(port, journal, instance) {
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  return [...address, '--journal', journal, '--instance', instance];
}

export const DEMO = { entry: 'apps/api/dist/admin.js', args: ['demo', '--json'] };
