/** Whether Postgres and Redis are set so that "stored" is true. What is not is refused in production, else said. */
import { setTimeout as sleep } from 'node:timers/promises';
import { findDurabilityFaults, noteCluster } from '@kurir/database';
import { findRedisFaults } from '@kurir/queue';
import type { Api } from './operations/api.js';

const timeoutMs = 3_000;
const pauseMs = 50;

/** Asks until it is answered or patience ends; then null. */
async function askUntilAnswered(ask: () => Promise<string[]>): Promise<string[] | null> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await ask();
    } catch {
      // Not there yet; whether it matters is decided below.
      if (performance.now() > deadline) return null;
    }
    await sleep(pauseMs);
  }
}

/** Rejects, naming all faults at once, when the api must not start. */
export async function checkSurroundings(api: Api, production: boolean): Promise<void> {
  const [postgres, redis] = await Promise.all([
    askUntilAnswered(() => findDurabilityFaults(api.database)),
    askUntilAnswered(() => findRedisFaults(api.queue)),
  ]);
  if (postgres !== null && (await noteCluster(api.database)))
    api.logger.warn('the database was restored: the log of events begins a generation');
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
