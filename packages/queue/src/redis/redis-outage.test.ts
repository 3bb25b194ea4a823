/** Redis is away for longer than BullMQ's blocking read and comes back empty. Everything must continue. */
import { type DeviceId, type MessageId, newId } from '@kurir/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedisServer, startRedisServer, waitUntil, whyNoRedisServer } from '@kurir/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { QueueConnection } from './connect.js';
import { callPresence, servePresence } from '../signals/presence.js';
import { findRedisFaults, readRedisState } from './redis-health.js';
import { useQueueFixture } from '../../test/queue-fixture.js';
import { serveWakeUps, wakeOwner } from '../signals/wake-up.js';

const fixture = useQueueFixture();
/** Longer than BullMQ's blocking read. Some versions failed only after such an outage. */
const outageMs = 5_500;

/** Does a worker's work for a device: takes turns, shows typing and listens to wake-ups. */
async function hold(
  holder: QueueConnection,
  deviceId: DeviceId,
  owner: string,
  onTake = (_messageId: MessageId) => {},
) {
  const taken: string[] = [];
  const woken: string[] = [];
  fixture().lane(holder, deviceId, {
    take: async ({ messageId }) => {
      taken.push(messageId);
      onTake(messageId);
      return 'done';
    },
  });
  await servePresence(
    holder,
    owner,
    async () => 'taken',
    () => undefined,
  );
  await serveWakeUps(holder, (woke) => void woken.push(woke));
  return { taken, woken };
}

test('after an outage and a wipe the lane, typing and wake-ups work again over the same connection', async () => {
  const { connection: holder, proxy } = await fixture().connectThroughProxy();
  const api = await fixture().connect();
  const [deviceId, owner] = [newId('dev'), newId('wrk')];
  const { taken, woken } = await hold(holder, deviceId, owner);
  const [before, during, after] = [fixture().ticket(deviceId), fixture().ticket(deviceId), fixture().ticket(deviceId)];
  await fixture().offer(api, before);
  await waitUntil(() => taken.length === 1, { what: 'the lane consumes' });

  await proxy.cut();
  const cutAt = performance.now();
  await fixture().offer(api, during);
  await waitUntil(() => holder.commands.status !== 'ready', { what: 'the connection is gone' });
  expect(await readRedisState(holder)).toBe('down');
  await wakeOwner(holder, deviceId);
  await waitUntil(() => performance.now() - cutAt > outageMs, { what: 'the outage has lasted', timeoutMs: 10_000 });
  await fixture().wipe();
  await proxy.restore();

  await waitUntil(() => holder.commands.status === 'ready', { what: 'the connection is back' });
  expect(await findRedisFaults(holder)).toEqual([]);
  await fixture().offer(api, after);
  await waitUntil(() => taken.includes(after.messageId), { what: 'the lane consumes again' });
  expect(taken).toEqual([before.messageId, after.messageId]);
  const call = { deviceId, owner, recipient: '6281234567890', action: 'start' } as const;
  expect(await callPresence(api, call, 3_000)).toBe('taken');
  await wakeOwner(api, deviceId);
  await waitUntil(() => woken.length > 0, { what: 'the wake-up is heard' });
  expect(woken).toEqual([deviceId]);
});

test('a connection to a Redis that vanished is replaced within seconds, and everything works again', async () => {
  const { connection: holder, proxy } = await fixture().connectThroughProxy();
  const api = await fixture().connect();
  const [deviceId, owner] = [newId('dev'), newId('wrk')];
  const [before, after] = [fixture().ticket(deviceId), fixture().ticket(deviceId)];
  const { taken, woken } = await hold(holder, deviceId, owner, (messageId) => {
    if (messageId === before.messageId) proxy.abandon();
  });
  await fixture().offer(api, before);
  await waitUntil(() => taken.length === 1, { what: 'the lane consumes' });

  const within = { timeoutMs: 30_000, everyMs: 250 };
  await fixture().offer(api, after);
  const call = { deviceId, owner, recipient: '6281234567890', action: 'start' } as const;
  await Promise.all([
    waitUntil(async () => (await readRedisState(holder)) === 'up', { what: 'commands are answered', ...within }),
    waitUntil(() => taken.includes(after.messageId), { what: 'the lane consumes again', ...within }),
    waitUntil(async () => (await wakeOwner(api, deviceId), woken.length > 0), {
      what: 'the wake-up is heard',
      ...within,
    }),
    waitUntil(async () => (await callPresence(api, call, 200)) === 'taken', { what: 'typing is heard', ...within }),
  ]);
});

test('a connection that never received anything is replaced, too', async () => {
  const { connection, proxy } = await fixture().connectThroughProxy();
  proxy.freeze();
  const redis = connection.openForSubscription();
  await waitUntil(() => redis.status === 'connect', { what: 'it is connected' });
  proxy.abandon();
  proxy.thaw();
  await waitUntil(() => redis.status === 'ready', { what: 'Redis has answered' });
});

test.skipIf(!hasRedisServer)(
  `a lane whose Redis refuses writes tries again once a second, and goes on when it may write (skipped: ${whyNoRedisServer})`,
  async () => {
    const replica = await startRedisServer({ config: ['replicaof 127.0.0.1 1'] });
    onTestFinished(() => replica.stop());
    const connection = await fixture().connect(replica.url);
    expect(await readRedisState(connection)).toBe('read_only');
    const deviceId = newId('dev');
    const errors: Error[] = [];
    const taken: string[] = [];
    fixture().lane(connection, deviceId, {
      take: async ({ messageId }) => (taken.push(messageId), 'done'),
      onError: (error) => void errors.push(error),
    });
    await sleep(3_500);
    const refusals = Number(/errorstat_READONLY:count=(\d+)/.exec(await connection.commands.info('errorstats'))?.[1]);
    expect(refusals).toBeGreaterThan(2);
    expect(refusals).toBeLessThan(30);
    expect(errors).toHaveLength(1);
    await connection.commands.replicaof('NO', 'ONE');
    const ticket = fixture().ticket(deviceId);
    await fixture().offer(connection, ticket);
    await waitUntil(() => taken.length === 1, { what: 'the lane consumes' });
  },
);

test('a wake-up without a device id is ignored', async () => {
  const connection = await fixture().connect();
  const woken: string[] = [];
  await serveWakeUps(connection, (deviceId) => void woken.push(deviceId));
  const deviceId = newId('dev');
  for (const text of ['', 'dev_', 'x', '{}']) await fixture().redis.publish(`${fixture().prefix}:wake`, text);
  await wakeOwner(connection, deviceId);
  await waitUntil(() => woken.length > 0, { what: 'the wake-up is heard' });
  expect(woken).toEqual([deviceId]);
});

test('a connection that closes while it subscribes again leaves no unhandled rejection', async () => {
  const { connection, proxy } = await fixture().connectThroughProxy();
  const redis = connection.openForSubscription();
  await redis.subscribe('channel');
  const rejections: unknown[] = [];
  const note = (error: unknown) => void rejections.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  // Redis is ready, and the subscription is sent but not answered.
  const closed = new Promise<void>((resolve) => {
    redis.once('ready', () => {
      proxy.freeze();
      resolve(connection.close());
    });
  });
  redis.disconnect(true);
  await closed;
  await waitUntil(() => redis.status === 'end', { what: 'the connection has ended' });
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejections).toEqual([]);
});
