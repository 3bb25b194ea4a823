/**
 * Checks that the settings of Postgres and Redis keep what the api has stored. In production a fault stops the start.
 * Elsewhere it is only logged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidSettings } from '@kurir/config';
import {
  admitMasterKey,
  canChangeAudit,
  findConnectionFaults,
  findDurabilityFaults,
  noteCluster,
} from '@kurir/database';
import { findRedisFaults, findWrongRedis } from '@kurir/queue';
import type { Api } from './operations/api.js';

const timeoutMs = 3_000;
const pauseMs = 50;

const ownsAudit =
  'the user of DATABASE_URL could change the audit log; the migrator makes another user: KURIR_APP_DATABASE_URL';

/** Asks until it gets an answer. Returns null after the timeout. */
async function askUntilAnswered(ask: () => Promise<string[]>): Promise<string[] | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch {
      // The server may still be starting. `checkSurroundings` decides whether its absence matters.
      if (performance.now() > deadline) return null;
    }
    await sleep(pauseMs);
  }
}

/**
 * Rejects if the database holds records under a key that the api lacks. Outside production Postgres may be away: then
 * the api looks again later, and logs the fault.
 */
export async function checkMasterKey(api: Api, production: boolean): Promise<void> {
  const faults = await askUntilAnswered(async () => {
    await api.prepareSignIn();
    return admitMasterKey(api.database, api.sealer);
  });
  if (faults === null && production)
    throw new UnsafeSurroundings(['Postgres does not answer: whether KURIR_MASTER_KEY opens it cannot be checked.']);
  if (faults !== null && faults.length > 0) throw new InvalidSettings(faults);
}

/** Rejects if the connections to Postgres are of no use. Call it before any other statement. */
export async function checkConnection(api: Api): Promise<void> {
  const faults = await askUntilAnswered(() => findConnectionFaults(api.database));
  if (faults !== null && faults.length > 0) throw new InvalidSettings(faults);
}

/** Rejects if the api must not start. The error names all faults. */
export async function checkSurroundings(api: Api, production: boolean): Promise<void> {
  const [postgres, redis, wrongRedis] = await Promise.all([
    askUntilAnswered(() => findDurabilityFaults(api.database)),
    askUntilAnswered(() => findRedisFaults(api.queue)),
    askUntilAnswered(() => findWrongRedis(api.queue)),
  ]);
  if (wrongRedis !== null && wrongRedis.length > 0) throw new InvalidSettings(wrongRedis);
  if (postgres !== null && (await noteCluster(api.database)))
    api.logger.warn('the database was restored: the log of events begins a generation');
  if (production && postgres !== null && (await canChangeAudit(api.database))) api.logger.warn(ownsAudit);
  if (redis === null) api.logger.warn('redis does not answer; messages are accepted and sent once it is back');
  const faults = [
    ...(postgres ?? ['Postgres does not answer: whether it keeps what it stores cannot be checked.']),
    ...(redis ?? []),
  ];
  if (production && faults.length > 0) throw new UnsafeSurroundings(faults);
  for (const fault of faults) api.logger.warn({ fault }, 'not fit for production');
}

export class UnsafeSurroundings extends Error {
  override readonly name = 'UnsafeSurroundings';

  constructor(faults: readonly string[]) {
    super(`The api does not start in production like this:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  }
}
