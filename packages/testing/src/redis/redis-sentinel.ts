/** A primary and a replica on loopback, and three Sentinels that watch them. Each has a password. */
import { waitUntil } from '../machine/wait-until.js';
import { type RedisServer, startRedisServer } from './redis-server.js';

export type RedisSentinel = {
  /** The primary at the start, and its replica. */
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly RedisServer[];
  /** The settings of a program that uses it. */
  readonly settings: { readonly REDIS_URL: string; readonly KURIR_REDIS_SENTINELS: string };
  /** The server that the Sentinels call the primary now. */
  primary(): Promise<RedisServer>;
  /** Resolves when the present primary has a replica that follows it, so that it may be lost. */
  untilReplicated(): Promise<void>;
  stop(): Promise<void>;
};

const name = 'mymaster';
const password = 'secret-of-redis';
const sentinelPassword = 'secret-of-sentinel';
const within = { timeoutMs: 60_000 };

const startWatcher = (port: number) =>
  startRedisServer({
    sentinel: true,
    password: sentinelPassword,
    config: [
      `sentinel monitor ${name} 127.0.0.1 ${port} 2`,
      `sentinel auth-pass ${name} ${password}`,
      `sentinel down-after-milliseconds ${name} 1000`,
      `sentinel failover-timeout ${name} 6000`,
      `sentinel sentinel-pass ${sentinelPassword}`,
    ],
  });

const knowEachOther = async (sentinel: RedisServer) => {
  const state = await sentinel.ask(`SENTINEL MASTER ${name}`);
  const numberOf = (field: string) => new RegExp(`${field}\r\n\\$\\d+\r\n(\\d+)`).exec(state)?.[1];
  return numberOf('num-other-sentinels') === '2' && numberOf('num-slaves') === '1';
};

export async function startRedisSentinel(): Promise<RedisSentinel> {
  const config = ['repl-diskless-sync-delay 0'];
  const first = await startRedisServer({ password, config });
  const second = await startRedisServer({ password, config: [...config, `replicaof 127.0.0.1 ${first.port}`] });
  const servers = [first, second];
  const sentinels = await Promise.all([0, 1, 2].map(() => startWatcher(first.port)));
  const [asked] = sentinels;
  const primary = async () => {
    const address = (await asked?.ask(`SENTINEL GET-MASTER-ADDR-BY-NAME ${name}`)) ?? '';
    return servers.find(({ port }) => address.includes(`\r\n${port}\r\n`)) ?? first;
  };
  const isReplicated = async () => {
    const info = await (await primary()).ask('INFO replication').catch(() => '');
    return info.includes('role:master') && info.includes('state=online');
  };
  await waitUntil(async () => (await Promise.all(sentinels.map(knowEachOther))).every(Boolean), {
    what: 'the Sentinels know each other and the replica',
    ...within,
  });
  return {
    servers,
    sentinels,
    settings: {
      REDIS_URL: `redis://:${password}@${name}`,
      KURIR_REDIS_SENTINELS: sentinels.map(({ url }) => url).join(','),
    },
    primary,
    untilReplicated: () => waitUntil(isReplicated, { what: 'a replica follows the primary', ...within }).then(() => {}),
    async stop() {
      await Promise.all([...sentinels, ...servers].map((server) => server.stop()));
    },
  };
}
