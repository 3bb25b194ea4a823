/** The feed as a program reads it: pages, waiting, streams. */
import { eventTypeNames } from '@kurir/contracts';
import type { DataOf } from '@kurir/contracts';
import { createDevice, moveMessages, noteRestore, revokeApiKey } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call, freshTimestamp, type Sent, signedHeaders } from '../../test/signed-request.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

let one: TestApi;
let two: TestApi;
beforeAll(async () => {
  one = await startTestApi();
  two = await startApiOn(one.settings);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

type Feed = DataOf<'listEvents'>;

const ask = (customer: Customer, query: string, { url } = one): Promise<Sent> =>
  call(url, customer, 'listEvents', query === '' ? {} : { query });

async function read(customer: Customer, query: string, api = one): Promise<Feed> {
  const { status, body } = await ask(customer, query, api);
  expect(status, JSON.stringify(body)).toBe(200);
  // The contract tests hold the shape.
  return body.data as unknown as Feed;
}

async function send(customer: Customer, body: object = {}, api = one): Promise<string> {
  const { body: sent } = await call(api.url, customer, 'sendMessage', { body: { ...aMessage, ...body } });
  return String(sent.data['job_id']);
}

async function move(jobId: string, status: 'sent' | 'delivered' | 'read'): Promise<void> {
  await one.database.pool.query(
    `UPDATE messages SET status = 'sending', attempts = 1 WHERE id = $1 AND status = 'queued'`,
    [jobId],
  );
  await moveMessages(one.database.pool, [{ id: jobId, to: status }]);
}

/** Now is where no older transaction runs, so an event of a moment ago may still come. These tests look at one type. */
const accepted = 'types=message.accepted';

const brief = ({ events }: Feed) => events.map(({ type, sequence, subject }) => `${subject.id} ${sequence} ${type}`);

/** Reads on until the feed has this many events. */
async function readAll(customer: Customer, query: string, count: number): Promise<Feed['events']> {
  const events: Feed['events'] = [];
  let after = 'earliest';
  await expect
    .poll(
      async () => {
        const page = await read(customer, `after=${after}&${query}`);
        events.push(...page.events);
        after = page.next_cursor;
        return events.length;
      },
      { timeout: 10_000, interval: 20 },
    )
    .toBe(count);
  return events;
}

describe('a page', () => {
  test('shows the life of a message, each event once, under an id that stays', async () => {
    const customer = await createCustomer(one.database);
    const jobId = await send(customer, { client_ref: 'order-1', priority: 'otp' });
    await move(jobId, 'read');
    const events = await readAll(
      customer,
      'limit=2&types=message.accepted,message.sent,message.delivered,message.read',
      4,
    );
    expect(events.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      '1 message.accepted',
      '2 message.sent',
      '3 message.delivered',
      '4 message.read',
    ]);
    expect(events[3]).toMatchObject({
      device_id: customer.deviceId,
      subject: { type: 'message', id: jobId },
      data: {
        job_id: jobId,
        status: 'read',
        client_ref: 'order-1',
        phone_destination: aMessage.phone_destination,
        priority: 'otp',
      },
    });
    expect(events[0]?.data).toMatchObject({ status: 'queued', network_message_id: null });
    const again = await read(customer, 'after=earliest&types=message.read', two);
    expect(again.events[0]).toEqual(events[3]);
    expect(JSON.stringify(events)).not.toContain('493021');
  });

  test('begins now without a cursor, and continues from there in another process', async () => {
    const customer = await createCustomer(one.database);
    await send(customer);
    // While another process has a transaction open, the event shows up later, and now is before it.
    await expect
      .poll(async () => (await read(customer, `${accepted}&after=earliest`, two)).events, { timeout: 5_000 })
      .toHaveLength(1);
    const { events, next_cursor: cursor } = await read(customer, accepted);
    expect(events).toEqual([]);
    const jobId = await send(customer);
    await expect
      .poll(async () => brief(await read(customer, `${accepted}&after=${cursor}`, two)), { timeout: 5_000 })
      .toEqual([`${jobId} 1 message.accepted`]);
  });

  test('misses no event of a transaction that commits late', async () => {
    const customer = await createCustomer(one.database);
    // The events of the new customer may show up late too, while another process has a transaction open.
    let start = '';
    const readOwn = async () => {
      const { events, next_cursor: next } = await read(customer, 'after=earliest');
      start = next;
      return events.length;
    };
    await expect.poll(readOwn, { timeout: 5_000 }).toBe(1);
    const late = await one.database.pool.connect();
    try {
      await late.query('BEGIN');
      await late.query(`UPDATE devices SET state = 'connecting' WHERE id = $1`, [customer.deviceId]);
      const other = await createCustomer(one.database);
      await send(other);
      const { next_cursor: between, events } = await read(customer, `after=${start}`);
      expect(events).toEqual([]);
      await late.query('COMMIT');
      const page = () => read(customer, `after=${between}`);
      await expect
        .poll(async () => (await page()).events.map(({ data }) => data), { timeout: 5_000 })
        .toEqual([{ state: 'connecting', reason: null, until: null }]);
    } finally {
      late.release();
    }
  });

  test('holds only the types and the device that were asked for, and no changes that only live pages show', async () => {
    const customer = await createCustomer(one.database);
    const accountId = customer.accountId;
    const other = await createDevice(one.database, {
      accountId,
      name: 'other',
      network: 'simulator',
      pacePerMinute: null,
    });
    await one.database.pool.query(`UPDATE devices SET state = 'pairing' WHERE id = $1`, [other]);
    await one.database.pool.query(`UPDATE devices SET name = 'new name' WHERE id = $1`, [other]);
    const jobId = await send(customer);
    await move(jobId, 'sent');
    await readAll(customer, '', 4);
    expect((await readAll(customer, `device_id=${other}`, 1))[0]?.type).toBe('device.state_changed');
    expect((await readAll(customer, 'types=message.sent', 1))[0]?.subject.id).toBe(jobId);
    for (const { type } of (await read(customer, 'after=earliest')).events) expect(eventTypeNames).toContain(type);
  });

  test('begins with the oldest event, although a later transaction has a number with more digits', async () => {
    const customer = await createCustomer(one.database);
    for (const [xid, kind] of [
      ['99', 'message.sent'],
      ['100', 'message.read'],
    ])
      await one.database.pool.query(
        `INSERT INTO events (account_id, generation, xid, subject_id, sequence, kind)
         VALUES ($1, event_generation(), $2::text::xid8, 'msg_digits', $2::text::int, $3)`,
        [customer.accountId, xid, kind],
      );
    const { events } = await read(customer, 'after=earliest');
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(['message.sent', 'message.read']);
  });

  test('of another account is empty', async () => {
    const [customer, stranger] = [await createCustomer(one.database), await createCustomer(one.database)];
    await send(customer);
    await readAll(customer, 'types=message.accepted', 1);
    const page = await read(stranger, `after=earliest&device_id=${customer.deviceId}`);
    expect(page.events).toEqual([]);
  });
});

describe('a cursor', () => {
  test('that is too old gets 410, and the oldest cursor that works', async () => {
    const customer = await createCustomer(one.database);
    await send(customer);
    await readAll(customer, 'types=message.accepted', 1);
    const refused = await ask(customer, 'after=1-1-1-1');
    expect(refused.status).toBe(410);
    expect(refused.body.code).toBe('CURSOR_EXPIRED');
    const [, oldest] = /after=([0-9a-z-]+)/.exec(refused.body.error) ?? [];
    expect((await read(customer, `after=${oldest}&types=message.accepted`)).events).toHaveLength(1);
  });

  test('from before a restored backup gets 410', async () => {
    const own = await startTestApi();
    try {
      const customer = await createCustomer(own.database);
      const { next_cursor: before } = await read(customer, '', own);
      await noteRestore(own.database);
      expect((await ask(customer, `after=${before}`, own)).status).toBe(410);
      const { events } = await read(customer, 'after=earliest', own);
      expect(events).toEqual((await read(customer, 'after=earliest', own)).events);
    } finally {
      await own.close();
    }
  });

  test('into the events of before a restored backup works, page by page, until another one is restored', async () => {
    const own = await startTestApi();
    try {
      const customer = await createCustomer(own.database);
      const jobs = [await send(customer, { client_ref: 'a' }, own), await send(customer, { client_ref: 'b' }, own)];
      await noteRestore(own.database);
      jobs.push(await send(customer, { client_ref: 'c' }, own));
      const seen: string[] = [];
      const cursors = ['earliest'];
      while (seen.length < jobs.length) {
        const page = await read(customer, `${accepted}&limit=1&after=${cursors.at(-1)}`, own);
        seen.push(...page.events.map(({ subject }) => subject.id));
        cursors.push(page.next_cursor);
      }
      expect(seen).toEqual(jobs);
      await noteRestore(own.database);
      for (const cursor of cursors.slice(1)) expect((await ask(customer, `after=${cursor}`, own)).status).toBe(410);
    } finally {
      await own.close();
    }
  });

  test.each(['0', 'x', '1-2', '1-2-3-4-5-6', '1-2-3-4-', 'earliest-1', `${'1-'.repeat(30)}1`])(
    '%s is refused',
    async (after) => {
      const customer = await createCustomer(one.database);
      expect((await ask(customer, `after=${after}`)).status).toBe(422);
    },
  );
});

describe('a request that waits', () => {
  test('is answered by the next event, in another process', async () => {
    const customer = await createCustomer(one.database);
    const { next_cursor: cursor } = await read(customer, accepted);
    const waiting = read(customer, `${accepted}&after=${cursor}&wait=25`, two);
    const jobId = await send(customer);
    expect(brief(await waiting)).toEqual([`${jobId} 1 message.accepted`]);
  });

  test('is answered without events after its time, with a cursor to continue from', async () => {
    const customer = await createCustomer(one.database);
    const before = performance.now();
    const { events, next_cursor: cursor } = await read(customer, `${accepted}&wait=1`);
    expect(events).toEqual([]);
    expect(performance.now() - before).toBeGreaterThan(950);
    const jobId = await send(customer);
    await expect
      .poll(async () => brief(await read(customer, `${accepted}&after=${cursor}`)), { timeout: 5_000 })
      .toEqual([`${jobId} 1 message.accepted`]);
  });

  test('ends when its key is revoked', async () => {
    const customer = await createCustomer(one.database);
    const waiting = ask(customer, `${accepted}&wait=25`);
    const before = performance.now();
    await revokeApiKey(one.database, customer.accountId, customer.key.id);
    expect((await waiting).body.code).toBe('INVALID_API_KEY');
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

/** Opens the feed as a stream. */
async function open(customer: Customer, lastEventId: string | null, { url } = one) {
  const target = '/api/v1/events?types=message.accepted';
  const abort = new AbortController();
  const answer = await fetch(url + target, {
    headers: {
      ...signedHeaders({ method: 'GET', target, key: customer.key, timestamp: freshTimestamp() }),
      Accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal: abort.signal,
  });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let text = '';
  const over = (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString('utf8');
  })().catch(() => undefined);
  return {
    over,
    close: () => abort.abort(),
    get events() {
      return [...text.matchAll(/^id: (\S+)\nevent: (\S+)\ndata: (.*)$/gm)].map(([, id = '', event, data = '']) => ({
        id,
        event,
        jobId: JSON.parse(data).subject.id,
      }));
    },
  };
}

describe('a stream', () => {
  test('continues after the last event that the reader names, in another process', async () => {
    const customer = await createCustomer(one.database);
    const stream = await open(customer, null);
    const jobs = [await send(customer), await send(customer)];
    await expect.poll(() => stream.events.map(({ jobId }) => jobId), { timeout: 5_000 }).toEqual(jobs);
    stream.close();
    await stream.over;
    const again = await open(customer, stream.events[0]?.id ?? '', two);
    await expect.poll(() => again.events.map(({ jobId }) => jobId), { timeout: 5_000 }).toEqual(jobs.slice(1));
    jobs.push(await send(customer));
    await expect.poll(() => again.events.map(({ jobId }) => jobId), { timeout: 5_000 }).toEqual(jobs.slice(1));
    again.close();
  });

  test('ends when its key is revoked', async () => {
    const customer = await createCustomer(one.database);
    const stream = await open(customer, null);
    await revokeApiKey(one.database, customer.accountId, customer.key.id);
    await stream.over;
  }, 15_000);
});
