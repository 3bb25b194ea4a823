/**
 * A Redis Cluster, or a primary that Sentinel watches, instead of the single Redis. Faults hit one server at a time, so
 * that another one can take its place.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RedisServer, startRedisCluster, startRedisSentinel, waitUntil } from '@kurir/testing';

export type RedundantRedis = {
  /** With these settings the gateway finds it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Kills a primary and starts it again. Resolves when all servers work together again. */
  kill(which: number, forMs: number): Promise<string>;
  /** Pauses a primary, as a network does that passes nothing on. */
  silence(which: number, forMs: number): Promise<string>;
  wipe(): Promise<string>;
  stop(): Promise<void>;
};

type Group = { readonly servers: readonly RedisServer[]; primary(): Promise<RedisServer> };
type Parts = {
  readonly settings: Readonly<Record<string, string>>;
  /** The servers with the same data, for each part of the data. */
  readonly groups: readonly Group[];
  untilWell(): Promise<unknown>;
  stop(): Promise<void>;
};

const within = { timeoutMs: 300_000 };

const isPrimary = (server: RedisServer) =>
  server.ask('ROLE').then(
    (reply) => reply.includes('master'),
    () => false,
  );

async function primaryAmong(servers: readonly RedisServer[]): Promise<RedisServer> {
  return waitUntil(
    async () => {
      for (const server of servers) if (await isPrimary(server)) return server;
      return null;
    },
    { what: 'there is a primary', ...within },
  );
}

const isFollowed = async (group: Group) =>
  (await (await group.primary()).ask('INFO replication').catch(() => '')).includes('state=online');

async function startCluster(): Promise<Parts> {
  const { nodes, replicas, settings, untilWell, stop } = await startRedisCluster({ replicas: true });
  const groups = nodes.map((node, i) => {
    const servers = [node, ...replicas.slice(i, i + 1)];
    return { servers, primary: () => primaryAmong(servers) };
  });
  return { settings, groups, untilWell, stop };
}

async function startSentinel(): Promise<Parts> {
  const { servers, settings, primary, untilReplicated, stop } = await startRedisSentinel();
  return { settings, groups: [{ servers, primary }], untilWell: untilReplicated, stop };
}

export async function startRedundantRedis(kind: 'cluster' | 'sentinel'): Promise<RedundantRedis> {
  const { settings, groups, untilWell, stop } = await (kind === 'cluster' ? startCluster() : startSentinel());
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one fault after the other. */
  function inTurn(work: () => Promise<string>): Promise<string> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  async function hit(
    which: number,
    begin: (server: RedisServer) => Promise<void>,
    end: (server: RedisServer) => Promise<void>,
    forMs: number,
  ) {
    const group = groups[which % groups.length];
    if (group === undefined) throw new Error('there is no server');
    const server = await group.primary();
    await begin(server);
    await sleep(forMs);
    await end(server);
    await untilWell();
    for (const each of groups)
      await waitUntil(() => isFollowed(each), { what: 'every primary has a replica', ...within });
    return `${kind}: port ${server.port}, then ${(await group.primary()).port}`;
  }

  return {
    settings,
    kill: (which, forMs) =>
      inTurn(() =>
        hit(
          which,
          (server) => server.kill(),
          (server) => server.start(),
          forMs,
        ),
      ),
    silence: (which, forMs) =>
      inTurn(() =>
        hit(
          which,
          async (server) => server.signal('SIGSTOP'),
          async (server) => server.signal('SIGCONT'),
          forMs,
        ),
      ),
    wipe: () =>
      inTurn(async () => {
        const servers = groups.flatMap((group) => group.servers);
        await Promise.all(servers.map((server) => server.ask('FLUSHALL').catch(() => '')));
        return 'while it ran';
      }),
    stop,
  };
}
