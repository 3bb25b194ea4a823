/** The surroundings of the measured api and workers: a database and lanes of their own, a network, and the settings. */
import { randomBytes } from 'node:crypto';
import { type Database, openDatabase } from '@kurir/database';
import { createTestDatabase, testRedisUrl, uniqueQueuePrefix } from '@kurir/testing';
import type { Network } from '../network/network.js';
import type { Setting } from '../processes/setting.js';
import { type Lanes, openLanes } from './lanes.js';
import { recycleWal } from './running-postgres.js';

/** The rate limit is on and does all its work per request, but no request reaches it. */
const requestsPerMinute = 10_000_000;

export type Ground = {
  readonly network: Network;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly lanes: Lanes;
  /** The settings of the api and the workers, without their ports. */
  readonly env: Readonly<Record<string, string>>;
  readonly masterKey: string;
};

async function openOwnDatabase({ cleanup, tell }: Setting): Promise<{ database: Database; url: string }> {
  const { url, drop } = await createTestDatabase();
  cleanup.add(drop);
  const database = openDatabase({ url, poolSize: 4 });
  cleanup.add(() => database.close());
  if (!(await recycleWal(database))) tell('this role may not switch WAL files: Postgres may still be making them');
  return { database, url };
}

export async function openGround(setting: Setting, network: Network): Promise<Ground> {
  const { database, url } = await openOwnDatabase(setting);
  const queuePrefix = uniqueQueuePrefix();
  const masterKey = randomBytes(32).toString('base64');
  const env = {
    DATABASE_URL: url,
    REDIS_URL: testRedisUrl(),
    KURIR_QUEUE_PREFIX: queuePrefix,
    KURIR_MASTER_KEY: masterKey,
    KURIR_INTERNAL_KEY: randomBytes(32).toString('base64'),
    KURIR_RATE_LIMIT_PER_MINUTE: String(requestsPerMinute),
    ...network.env,
  };
  return { network, database, databaseUrl: url, lanes: openLanes(setting, queuePrefix), env, masterKey };
}
