/** A Redis of another kind than the settings say, at the start and later. And TLS with certificates from files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@kurir/contracts';
import {
  type CertificateFiles,
  hasRedisServer,
  makeCertificateFiles,
  type RedisServer,
  startRedisCluster,
  startRedisSentinel,
  startRedisServer,
  waitUntil,
} from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { useQueueFixture } from '../../test/queue-fixture.js';
import { createLane } from '../lanes/lane.js';
import { connectQueue } from './connect.js';
import type { RedisAddress } from './redis-address.js';
import { readRedisState } from './redis-health.js';
import { findWrongRedis } from './wrong-redis.js';

const fixture = useQueueFixture();

/** Opens a connection without waiting for Redis. */
function open(address: RedisAddress) {
  const errors: Error[] = [];
  const onError = (error: Error) => void errors.push(error);
  const connection = connectQueue({ ...address, prefix: 'x', internalKeys: fixture().internalKeys, onError });
  onTestFinished(() => connection.close());
  return { connection, errors };
}

describe.skipIf(!hasRedisServer)('at the start', () => {
  let servers: Record<'single' | 'node' | 'sentinel', RedisServer>;
  beforeAll(async () => {
    const [single, node, sentinel] = await Promise.all([
      startRedisServer({}),
      startRedisServer({ config: ['cluster-enabled yes'] }),
      startRedisServer({ sentinel: true }),
    ]);
    servers = { single, node, sentinel };
  });
  afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));
  const url = (name: keyof typeof servers) => servers[name].url;

  test.each<[string, () => RedisAddress, RegExp]>([
    [
      'a Cluster as a single Redis',
      () => ({ urls: [url('node')] }),
      /^REDIS_URL leads to a node .*set KURIR_REDIS_CLUSTER=true/,
    ],
    [
      'a Sentinel as a single Redis',
      () => ({ urls: [url('sentinel')] }),
      /^REDIS_URL leads to a Redis Sentinel.*KURIR_REDIS_SENTINELS/,
    ],
    [
      'a single Redis as a Cluster',
      () => ({ urls: [url('single')], cluster: true }),
      /^REDIS_URL leads to a single Redis.*neither/,
    ],
    [
      'a Sentinel as a Cluster',
      () => ({ urls: [url('sentinel')], cluster: true }),
      /^REDIS_URL leads to a Redis Sentinel/,
    ],
    [
      'a single Redis among the nodes of a Cluster',
      () => ({ urls: ['redis://127.0.0.1:1', url('node'), url('single')], cluster: true }),
      /^REDIS_URL leads to a single Redis/,
    ],
    [
      'a single Redis as a Sentinel',
      () => ({ urls: ['redis://mymaster'], sentinels: [url('single')] }),
      /^KURIR_REDIS_SENTINELS leads to a single Redis/,
    ],
    [
      'a name that Sentinel does not know',
      () => ({ urls: ['redis://mymaster'], sentinels: ['redis://127.0.0.1:1', url('sentinel')] }),
      /^Sentinel does not know the primary/,
    ],
  ])('%s is named in one sentence that says what to set', async (_what, address, sentence) => {
    const { connection } = open(address());
    expect(await findWrongRedis(connection)).toEqual([expect.stringMatching(sentence)]);
  });

  test('a Redis that does not answer is not called wrong', async () => {
    const { connection } = open({ urls: ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'], cluster: true });
    await expect(findWrongRedis(connection)).rejects.toThrow('does not answer');
  });

  test.each<[string, () => RedisAddress]>([
    ['a Cluster as a single Redis', () => ({ urls: [url('node')] })],
    ['a Sentinel as a single Redis', () => ({ urls: [url('sentinel')] })],
    ['a single Redis as a Cluster', () => ({ urls: [url('single')], cluster: true })],
    ['a single Redis as a Sentinel', () => ({ urls: ['redis://mymaster'], sentinels: [url('single')] })],
  ])('%s that is found later costs a line a minute, not a flood', async (_what, address) => {
    const { connection, errors } = open(address());
    const shared = connection.openForLanes();
    const ofLanes: Error[] = [];
    const lanes = [newId('dev'), newId('dev')].map((deviceId) =>
      createLane(connection, shared, {
        deviceId,
        take: async () => 'done',
        onForeignTicket: () => undefined,
        onError: (error) => void ofLanes.push(error),
      }),
    );
    await sleep(4_000);
    expect(await readRedisState(connection)).toBe('down');
    expect(errors.length).toBeLessThan(10);
    expect(ofLanes.length).toBeLessThan(10);
    // A lane that was never connected closes with its connection.
    for (const lane of lanes) void lane.close();
  });
});

describe.skipIf(!hasRedisServer)('TLS', () => {
  let files: CertificateFiles;
  beforeAll(() => {
    files = makeCertificateFiles();
  });
  afterAll(() => files.remove());
  const tls = () => ({ ca: files.certificate, cert: files.certificate, key: files.key });

  test('of a single Redis: the authority and the own certificate are needed, and enough', async () => {
    const server = await startRedisServer({ password: 'secret', certificate: files });
    onTestFinished(() => server.stop());
    const connection = await fixture().connect({ urls: [server.tlsUrl], tls: tls() });
    expect(await readRedisState(connection)).toBe('up');
    expect(await findWrongRedis(connection)).toEqual([]);
    const { connection: stranger, errors } = open({ urls: [server.tlsUrl], tls: { ca: files.certificate } });
    await waitUntil(() => errors.length > 0, { what: 'Redis refuses a client without a certificate' });
    expect(await readRedisState(stranger)).toBe('down');
    const { errors: distrusts } = open({ urls: [server.tlsUrl] });
    await waitUntil(() => distrusts.length > 0, { what: 'an unknown authority is refused' });
    expect(String(distrusts[0])).toContain('self-signed');
  });

  test('of a Cluster: commands, lanes and subscriptions use it', async () => {
    const cluster = await startRedisCluster({ certificate: files });
    onTestFinished(() => cluster.stop());
    const connection = await fixture().connect({
      urls: cluster.settings.REDIS_URL.split(','),
      cluster: true,
      tls: tls(),
    });
    const deviceIds = Array.from({ length: 6 }, () => newId('dev'));
    const taken = new Set<string>();
    for (const deviceId of deviceIds)
      fixture().lane(connection, deviceId, { take: async () => (taken.add(deviceId), 'done') });
    // On a full machine, the first handshake with a node may take longer than a command may. Then the sweep would try again.
    const offered = () =>
      fixture()
        .offer(connection, ...deviceIds.map((deviceId) => fixture().ticket(deviceId)))
        .then(
          () => true,
          () => false,
        );
    await waitUntil(offered, { what: 'all were offered' });
    await waitUntil(() => taken.size === 6, { what: 'all were taken', timeoutMs: 30_000 });
    const heard: string[] = [];
    const subscriber = connection.openForSubscription();
    subscriber.on('message', (_channel, text: string) => void heard.push(text));
    await subscriber.subscribe('channel');
    const published = () =>
      connection.commands.publish('channel', 'text').then(
        () => heard.length > 0,
        () => false,
      );
    await waitUntil(published, { what: 'the text is heard', everyMs: 200 });
  });
});

test.skipIf(!hasRedisServer)(
  'a primary that was demoted is left for the new one, though it still answers',
  async () => {
    const redis = await startRedisSentinel();
    onTestFinished(() => redis.stop());
    const { REDIS_URL, KURIR_REDIS_SENTINELS } = redis.settings;
    const connection = await fixture().connect({ urls: [REDIS_URL], sentinels: KURIR_REDIS_SENTINELS.split(',') });
    const before = await redis.primary();
    await redis.sentinels[0]?.ask('SENTINEL FAILOVER mymaster');
    await waitUntil(async () => (await redis.primary()) !== before, { what: 'another primary', timeoutMs: 60_000 });
    await redis.untilReplicated();
    await waitUntil(async () => (await readRedisState(connection)) === 'up', {
      what: 'writes work',
      timeoutMs: 30_000,
    });
  },
);
