/**
 * Finds out whether the addresses lead to the kind of Redis that the settings name. It asks each address over a
 * connection of its own, because a client for another kind would never become ready.
 */
import { Redis } from 'ioredis';
import type { QueueConnection } from './connect.js';
import { kindOf, readSentinels, readServers, type RedisKind, type Server } from './redis-address.js';

/** The value of `redis_mode` in INFO. */
const modes: Readonly<Record<string, RedisKind>> = { standalone: 'single', cluster: 'cluster', sentinel: 'sentinel' };

const cure: Readonly<Record<RedisKind, string>> = {
  single: 'For a single Redis, set neither KURIR_REDIS_CLUSTER nor KURIR_REDIS_SENTINELS.',
  cluster: 'For a Cluster, set KURIR_REDIS_CLUSTER=true.',
  sentinel:
    'Sentinel holds no data. Name the Sentinels in KURIR_REDIS_SENTINELS, and their primary in REDIS_URL, like redis://:password@mymaster.',
};
const names: Readonly<Record<RedisKind, string>> = {
  single: 'a single Redis',
  cluster: 'a node of a Redis Cluster',
  sentinel: 'a Redis Sentinel',
};

const waitMs = 3_000;

/** Asks one server. Rejects if it does not answer in time. */
async function ask<T>(server: Server, question: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({
    ...server,
    // Sentinel has no databases.
    db: 0,
    lazyConnect: true,
    // The ready check waits for a server that loads its data. INFO answers before.
    enableReadyCheck: false,
    retryStrategy: () => null,
    connectTimeout: waitMs,
    commandTimeout: waitMs,
  });
  // `connect` rejects with the same error.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

async function readKind(server: Server): Promise<RedisKind | undefined> {
  const mode = /^redis_mode:(\S+)/m.exec(await ask(server, (redis) => redis.info('server')))?.[1] ?? '';
  return modes[mode];
}

/** Asks every server, and returns the replies of those that answered. Rejects if none did. */
async function askAll<T>(servers: readonly Server[], question: (server: Server) => Promise<T>): Promise<T[]> {
  const replies = await Promise.allSettled(servers.map(question));
  const answers = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  if (answers.length === 0) throw new Error('Redis does not answer', { cause: replies[0] });
  return answers;
}

async function findOtherKind(setting: string, servers: readonly Server[], expected: RedisKind): Promise<string[]> {
  const kinds = new Set(await askAll(servers, readKind));
  return [...kinds].flatMap((kind) =>
    kind === undefined || kind === expected ? [] : [`${setting} leads to ${names[kind]}. ${cure[kind]}`],
  );
}

async function findUnknownPrimary(sentinels: readonly Server[], name: string): Promise<string[]> {
  const address = (redis: Redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
  const known = await askAll(sentinels, (sentinel) => ask(sentinel, address));
  return known.some((one) => one !== null)
    ? []
    : ['Sentinel does not know the primary that REDIS_URL names. The host in REDIS_URL is its name, like mymaster.'];
}

/** Returns why Kurir cannot use this Redis at all. Empty if it can. Rejects if Redis does not answer. */
export async function findWrongRedis({ options }: QueueConnection): Promise<string[]> {
  const [kind, servers] = [kindOf(options), readServers(options)];
  if (kind !== 'sentinel') return findOtherKind('REDIS_URL', servers, kind);
  const sentinels = readSentinels(options);
  const wrong = await findOtherKind('KURIR_REDIS_SENTINELS', sentinels, kind);
  return wrong.length > 0 ? wrong : findUnknownPrimary(sentinels, servers[0]?.host ?? '');
}
