import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@kurir/contracts';
import { seal } from '@kurir/signing';
import { testRedisUrl, waitUntil } from '@kurir/testing';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { presenceChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { callPresence, type PresenceCall, type PresenceHandler, servePresence } from './presence.js';
import { useQueueFixture } from '../../test/queue-fixture.js';

const fixture = useQueueFixture();

const recipient = '6281234567890';

function call(changes: Partial<PresenceCall> = {}): PresenceCall {
  return { deviceId: newId('dev'), owner: newId('wrk'), recipient, action: 'start', ...changes };
}

/** Starts a worker. `asked` collects the requests that it got. */
async function worker(owner: string, handle: PresenceHandler = async () => 'taken') {
  const connection = await fixture().connect();
  const asked: unknown[] = [];
  const errors: unknown[] = [];
  await servePresence(
    connection,
    owner,
    (request) => {
      asked.push(request);
      return handle(request);
    },
    (error) => void errors.push(error),
  );
  return { connection, asked, errors };
}

let eavesdropper: Redis | undefined;
afterEach(() => {
  eavesdropper?.disconnect();
  vi.useRealTimers();
});

/** Listens to a worker's channel, as a stranger in Redis can. */
async function eavesdrop(connection: QueueConnection, owner: string): Promise<string[]> {
  const heard: string[] = [];
  eavesdropper = new Redis(testRedisUrl());
  eavesdropper.on('message', (_channel, text: string) => heard.push(text));
  await eavesdropper.subscribe(presenceChannel(connection, owner));
  return heard;
}

describe('a typing call', () => {
  test('reaches the worker that holds the device, and returns its answer', async () => {
    const asking = call({ action: 'stop' });
    const { asked } = await worker(asking.owner);
    expect(await callPresence(await fixture().connect(), asking, 3_000)).toBe('taken');
    expect(asked).toEqual([{ deviceId: asking.deviceId, recipient, action: 'stop' }]);
  });

  test('returns that the device is not connected', async () => {
    const asking = call();
    await worker(asking.owner, async () => 'not-connected');
    expect(await callPresence(await fixture().connect(), asking, 3_000)).toBe('not-connected');
  });

  test('times out when nobody listens, and when the worker hangs or fails', async () => {
    const connection = await fixture().connect();
    const [hanging, failing] = [call(), call()];
    await worker(hanging.owner, () => new Promise(() => undefined));
    const failed = await worker(failing.owner, () => Promise.reject(new Error('socket gone')));
    const calls = [call(), hanging, failing].map((asking) => callPresence(connection, asking, 300));
    expect(await Promise.all(calls)).toEqual(['timeout', 'timeout', 'timeout']);
    expect(failed.errors).toMatchObject([{ message: 'socket gone' }]);
  });

  test('reaches a worker that begins to listen after the call', async () => {
    const asking = call();
    const answer = callPresence(await fixture().connect(), asking, 5_000);
    await worker(asking.owner);
    expect(await answer).toBe('taken');
  });

  test('does not reach another worker', async () => {
    const { asked } = await worker(newId('wrk'));
    expect(await callPresence(await fixture().connect(), call(), 200)).toBe('timeout');
    expect(asked).toEqual([]);
  });

  test('gets its own answer, even among many calls at once', async () => {
    const owner = newId('wrk');
    await worker(owner, async ({ action }) => (action === 'start' ? 'taken' : 'not-connected'));
    const connection = await fixture().connect();
    const actions = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? 'stop' : 'start'));
    const answers = await Promise.all(
      actions.map((action) => callPresence(connection, call({ owner, action }), 3_000)),
    );
    expect(answers).toEqual(actions.map((action) => (action === 'start' ? 'taken' : 'not-connected')));
  });

  test('returns at once while Redis is away', async () => {
    const { connection, proxy } = await fixture().connectThroughProxy();
    await proxy.cut();
    await waitUntil(() => connection.commands.status !== 'ready', { what: 'the connection is gone' });
    const begun = performance.now();
    expect(await callPresence(connection, call(), 30_000)).toBe('unavailable');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

describe('a stranger in Redis', () => {
  test('cannot read the recipient of a typing call', async () => {
    const asking = call();
    const { connection } = await worker(asking.owner);
    const heard = await eavesdrop(connection, asking.owner);
    await callPresence(await fixture().connect(), asking, 3_000);
    await waitUntil(() => heard.length === 1, { what: 'the envelope was overheard' });
    expect(heard.join()).not.toContain(recipient);
    expect(Buffer.from(JSON.parse(heard[0] ?? '').sealed, 'base64').includes(recipient)).toBe(false);
  });

  test('cannot type with a forged, changed or foreign envelope', async () => {
    const asking = call();
    const { connection, asked, errors } = await worker(asking.owner);
    const heard = await eavesdrop(connection, asking.owner);
    await callPresence(await fixture().connect(), asking, 3_000);
    await waitUntil(() => heard.length === 1, { what: 'the envelope was overheard' });
    const envelope = JSON.parse(heard[0] ?? '');
    const flipped = Buffer.from(envelope.sealed, 'base64');
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    const plain = JSON.stringify({
      device: asking.deviceId,
      recipient,
      action: 'start',
      worthUntil: Date.now() + 10_000,
    });
    const aad = `presence|${envelope.id}|${envelope.replyTo}`;
    const forgeries = [
      { ...envelope, id: `${envelope.id}0` },
      { ...envelope, replyTo: 'elsewhere' },
      { ...envelope, sealed: flipped.toString('base64') },
      { ...envelope, sealed: seal(createSecretKey(randomBytes(32)), plain, aad).toString('base64') },
      { ...envelope, sealed: Buffer.from(plain).toString('base64') },
      { ...envelope, sealed: '' },
      { ...envelope, sealed: seal(fixture().internalKeys[0], '{}', aad).toString('base64') },
      { ...envelope, sealed: seal(fixture().internalKeys[0], 'no json', aad).toString('base64') },
      {},
      null,
    ].map((forgery) => JSON.stringify(forgery));
    for (const text of [...forgeries, 'no json', '']) {
      await fixture().redis.publish(presenceChannel(connection, asking.owner), text);
    }
    expect(await callPresence(await fixture().connect(), asking, 3_000)).toBe('taken');
    expect(asked).toHaveLength(2);
    expect(errors).toEqual([]);
  });

  test('cannot repeat a call after 10 s', async () => {
    const asking = call();
    const { connection, asked } = await worker(asking.owner);
    const heard = await eavesdrop(connection, asking.owner);
    await callPresence(await fixture().connect(), asking, 3_000);
    await waitUntil(() => heard.length === 1, { what: 'the envelope was overheard' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 });
    await fixture().redis.publish(presenceChannel(connection, asking.owner), heard[0] ?? '');
    // When this call is answered, the worker has received all earlier ones.
    expect(await callPresence(await fixture().connect(), asking, 3_000)).toBe('taken');
    expect(asked).toHaveLength(2);
  });
});
