/** Runs two api processes on one database and one Redis. */
import type { DeviceId } from '@kurir/contracts';
import { moveMessages } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createConnectedDevice } from '../../test/customer-fixture.js';
import { personOf, writeTo } from '../../test/inbound-fixture.js';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { aMessage } from '../../test/signed-request.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';
import { sessionMaxSeconds } from '../sign-in/guards/session-age.js';
import { createLive } from './live.js';

let one: TestApi;
let two: TestApi;
let person: Person;
let deviceId: DeviceId;
beforeAll(async () => {
  one = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  two = await startApiOn(one.settings);
  person = await signUp(one.url);
  deviceId = await createConnectedDevice(one.database, person.accountId);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

type Seen = { id: string; event: string; data: Record<string, unknown> };

/** Reads a stream in the background. */
async function watch(url: string, who: Person, lastEventId?: string) {
  const abort = new AbortController();
  const answer = await fetch(`${url}/app/api/events`, {
    headers: { Cookie: who.browser.cookie, ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }) },
    signal: abort.signal,
  });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const seen: Seen[] = [];
  let isOver = false;
  const reading = (async () => {
    let rest = '';
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + Buffer.from(chunk as Uint8Array).toString('utf8')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id, event, data] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/.exec(block) ?? [];
        if (id !== undefined && event !== undefined && data !== undefined)
          seen.push({ id, event, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
  })()
    .catch(() => undefined)
    .then(() => {
      isOver = true;
    });
  return {
    seen,
    get isOver() {
      return isOver;
    },
    statusesOf: (jobId: string) =>
      seen.filter(({ data }) => data['job_id'] === jobId).map(({ data }) => data['status']),
    async close() {
      abort.abort();
      await reading;
    },
  };
}

async function send(): Promise<string> {
  const sent = await person.browser.call('sendMessage', { deviceId, body: aMessage });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  return String(sent.body.data['job_id']);
}

/** Moves a message as a worker does. */
const move = async (jobId: string, status: string) => {
  await one.database.pool.query(
    `UPDATE messages SET status = 'sending', attempts = 1 WHERE id = $1 AND status = 'queued'`,
    [jobId],
  );
  await moveMessages(one.database.pool, [{ id: jobId, to: status as 'sent' }]);
};

test('both processes send the same states of a message', async () => {
  const [here, there] = [await watch(one.url, person), await watch(two.url, person)];
  const jobId = await send();
  for (const status of ['sent', 'delivered', 'read']) {
    await expect.poll(() => here.statusesOf(jobId).length, { timeout: 5_000 }).toBeGreaterThan(0);
    await move(jobId, status);
    await expect.poll(() => here.statusesOf(jobId).at(-1), { timeout: 5_000 }).toBe(status);
    await expect.poll(() => there.statusesOf(jobId).at(-1), { timeout: 5_000 }).toBe(status);
  }
  await Promise.all([here.close(), there.close()]);
});

test('a browser that comes back to the other process gets the events that it missed', async () => {
  const first = await watch(one.url, person);
  const before = await send();
  await expect.poll(() => first.statusesOf(before), { timeout: 5_000 }).not.toEqual([]);
  const lastId = first.seen.at(-1)?.id ?? '';
  await first.close();
  const missed = await send();
  await move(missed, 'delivered');
  const again = await watch(two.url, person, lastId);
  await expect.poll(() => again.statusesOf(missed).at(-1), { timeout: 5_000 }).toBe('delivered');
  await again.close();
});

test('a browser with an old or unknown event id gets resync', async () => {
  for (const lastId of ['1700000000000-1', 'rubbish']) {
    const stream = await watch(one.url, person, lastId);
    await expect.poll(() => stream.seen.map(({ event }) => event), { timeout: 5_000 }).toContain('resync');
    await stream.close();
  }
});

test('a changed state of a device is sent', async () => {
  const stream = await watch(two.url, person);
  await one.database.pool.query(`UPDATE devices SET state = 'connecting', state_at = now() WHERE id = $1`, [deviceId]);
  await expect
    .poll(() => stream.seen.find(({ event }) => event === 'device')?.data, { timeout: 5_000 })
    .toMatchObject({ device_id: deviceId, state: 'connecting' });
  await one.database.pool.query(`UPDATE devices SET state = 'connected', state_at = now() WHERE id = $1`, [deviceId]);
  await stream.close();
});

test('a person who writes is sent, without what was written', async () => {
  const stream = await watch(two.url, person);
  const conversationId = await writeTo(one.database, deviceId, 'Halo', personOf('lid:live', '6281200000222'));
  await expect
    .poll(() => stream.seen.find(({ event }) => event === 'conversation')?.data, { timeout: 5_000 })
    .toEqual({ conversation_id: conversationId });
  await stream.close();
});

test('a broadcast that moves on is sent', async () => {
  const created = await person.browser.call('createBroadcast', {
    body: {
      name: 'Promo',
      message: 'Halo',
      device_ids: [deviceId],
      audience: { rows: [{ phone: '6281200000333' }] },
    },
  });
  const broadcastId = String(created.body.data['broadcast_id']);
  const stream = await watch(two.url, person);
  await person.browser.call('checkBroadcast', { params: { broadcast_id: broadcastId } });
  await expect
    .poll(() => stream.seen.find(({ event }) => event === 'broadcast')?.data, { timeout: 5_000 })
    .toEqual({ broadcast_id: broadcastId });
  await stream.close();
});

test('another account gets none of these events', async () => {
  const stranger = await signUp(one.url);
  const stream = await watch(one.url, stranger);
  const own = await watch(one.url, person);
  const jobId = await send();
  await expect.poll(() => own.statusesOf(jobId), { timeout: 5_000 }).not.toEqual([]);
  expect(JSON.stringify(stream.seen)).not.toContain(jobId);
  expect(JSON.stringify(stream.seen)).not.toContain(person.accountId);
  await Promise.all([stream.close(), own.close()]);
});

describe('a stream ends by itself, and the others go on, when', () => {
  type End = (member: Person) => Promise<unknown>;
  const query = (text: string, member: Person) => one.database.pool.query(text, [member.userId]);
  const ends: readonly (readonly [name: string, end: End])[] = [
    ['its person signs out', (member) => member.browser.auth('/sign-out', {})],
    ['its session is revoked from elsewhere', (member) => query('DELETE FROM sessions WHERE user_id = $1', member)],
    [
      'its session has expired',
      (member) => query(`UPDATE sessions SET expires_at = now() - interval '2 ms' WHERE user_id = $1`, member),
    ],
    [
      'its person is removed from the account',
      (member) => person.browser.call('removeMember', { params: { user_id: member.userId }, body: {} }),
    ],
    [
      'its person gets another role',
      (member) =>
        person.browser.call('changeRole', { params: { user_id: member.userId }, body: { role: 'developer' } }),
    ],
  ];
  test.for(ends)('%s', async ([, end]) => {
    const member = await signUpAs(one.url, one.database, person.accountId, 'viewer');
    // The other process serves the request that ends the stream.
    const [theirs, own] = [await watch(two.url, member), await watch(two.url, person)];
    const before = await send();
    await expect.poll(() => theirs.statusesOf(before), { timeout: 5_000 }).not.toEqual([]);
    await end(member);
    await expect.poll(() => theirs.isOver, { timeout: 5_000 }).toBe(true);
    const after = await send();
    await expect.poll(() => own.statusesOf(after), { timeout: 5_000 }).not.toEqual([]);
    expect(theirs.statusesOf(after)).toEqual([]);
    expect(own.isOver).toBe(false);
    await own.close();
  });

  test('its session has reached the maximum age', async () => {
    let now = Date.now();
    const { database, queue } = one;
    const logger = createLogger({ name: 'live', level: 'silent', pretty: false });
    const live = createLive({ database, queue, logger, now: () => now });
    const three = await startApiOn(one.settings, { live });
    onTestFinished(() => three.close());
    const stream = await watch(three.url, person);
    const jobId = await send();
    await expect.poll(() => stream.statusesOf(jobId), { timeout: 5_000 }).not.toEqual([]);
    await one.database.pool.query(`UPDATE sessions SET expires_at = now() + interval '1 year' WHERE user_id = $1`, [
      person.userId,
    ]);
    expect(stream.isOver).toBe(false);
    now += (sessionMaxSeconds + 1) * 1_000;
    await expect.poll(() => stream.isOver, { timeout: 5_000 }).toBe(true);
  });
});
