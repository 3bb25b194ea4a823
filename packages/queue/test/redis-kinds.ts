/** The kinds of Redis that Kurir uses, each with real servers, and how a test loses the server that holds a lane. */
import type { DeviceId } from '@kurir/contracts';
import { type RedisServer, startRedisCluster, startRedisSentinel, startRedisServer } from '@kurir/testing';
import type { RedisAddress } from '../src/redis/redis-address.js';

export type RedisUnderTest = {
  readonly address: RedisAddress;
  /** The names of the keys on each server that takes writes. */
  keys(): Promise<string[][]>;
  /** Ends the server that holds the lane of this device, as a power cut does. */
  lose(deviceId: DeviceId): Promise<void>;
  /** Brings back what was lost. Resolves when all servers work together again. */
  repair(): Promise<void>;
  stop(): Promise<void>;
};

const keysOn = async (server: RedisServer) =>
  (await server.ask('KEYS *')).split('\r\n').filter((line) => line.includes(':'));

const addressOf = (settings: Readonly<Record<string, string>>): RedisAddress => ({
  urls: (settings['REDIS_URL'] ?? '').split(','),
  cluster: settings['KURIR_REDIS_CLUSTER'] === 'true',
  sentinels: settings['KURIR_REDIS_SENTINELS']?.split(',') ?? [],
});

async function single(): Promise<RedisUnderTest> {
  const server = await startRedisServer({ password: 'secret' });
  return {
    address: { urls: [server.url] },
    keys: async () => [await keysOn(server)],
    lose: () => server.kill(),
    repair: () => server.start(),
    stop: () => server.stop(),
  };
}

async function cluster(replicas: boolean): Promise<RedisUnderTest> {
  const { nodes, settings, untilWell, stop } = await startRedisCluster({ replicas, password: 'secret' });
  let lost: RedisServer | undefined;
  const keys = () => Promise.all(nodes.map((node) => keysOn(node).catch(() => [])));
  return {
    address: addressOf(settings),
    keys,
    async lose(deviceId) {
      const held = (await keys()).findIndex((names) => names.some((name) => name.includes(deviceId)));
      lost = nodes[held];
      await lost?.kill();
      if (replicas) await untilWell();
    },
    async repair() {
      await lost?.start();
      await untilWell();
    },
    stop,
  };
}

async function sentinel(): Promise<RedisUnderTest> {
  const { settings, primary, untilReplicated, stop } = await startRedisSentinel();
  let lost: RedisServer | undefined;
  return {
    address: addressOf(settings),
    keys: async () => [await keysOn(await primary())],
    async lose() {
      lost = await primary();
      await lost.kill();
    },
    async repair() {
      await lost?.start();
      await untilReplicated();
    },
    stop,
  };
}

/** `heals`: what was lost is replaced without a person. */
export const redisKinds: readonly { name: string; heals: boolean; start(): Promise<RedisUnderTest> }[] = [
  { name: 'a single Redis', heals: false, start: single },
  { name: 'a Redis Cluster without replicas', heals: false, start: () => cluster(false) },
  { name: 'a Redis Cluster with replicas', heals: true, start: () => cluster(true) },
  { name: 'a primary that Sentinel watches', heals: true, start: sentinel },
];
