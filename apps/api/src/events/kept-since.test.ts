/** How far feed, replays and resends reach back. */
import { readEndOfLog } from '@kurir/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { aMessage, call } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { nameOfCursor } from './cursor.js';

const dayMs = 24 * 60 * 60 * 1_000;
const types = 'types=message.accepted';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ KURIR_EVENTS_RETENTION_DAYS: 2 });
});
afterAll(() => api.close());

const ask = (customer: Customer, query: string) => call(api.url, customer, 'listEvents', { query });

async function send(customer: Customer, text: string): Promise<string> {
  const { body } = await call(api.url, customer, 'sendMessage', { body: { ...aMessage, message: text } });
  return String(body.data['job_id']);
}

/** Makes all events of the account so far three days old. */
async function age({ accountId }: Customer): Promise<void> {
  await api.database.pool.query(`UPDATE events SET at = at - interval '3 days' WHERE account_id = $1`, [accountId]);
}

/** Waits until older transactions have ended. */
async function untilShown(customer: Customer, jobId: string): Promise<string[]> {
  let shown: string[] = [];
  await expect
    .poll(async () => {
      const { events } = (await ask(customer, `after=earliest&${types}`)).body.data as unknown as {
        events: { subject: { id: string } }[];
      };
      shown = events.map(({ subject }) => subject.id);
      return shown;
    })
    .toContain(jobId);
  return shown;
}

test('the feed shows no event that is older than the setting says', async () => {
  const customer = await createCustomer(api.database);
  await send(customer, 'older');
  await age(customer);
  const kept = await send(customer, 'kept');
  expect(await untilShown(customer, kept)).toEqual([kept]);
});

test('an older cursor gets 410 and the oldest cursor that works, also for a program that uses it later', async () => {
  const customer = await createCustomer(api.database);
  const position = await readEndOfLog(api.database);
  const cursorOf = (daysAgo: number) =>
    nameOfCursor({ position, at: new Date(Date.now() - daysAgo * dayMs), readIn: position.generation });
  await send(customer, 'older');
  await age(customer);
  const kept = await send(customer, 'kept');
  await untilShown(customer, kept);
  expect((await ask(customer, `after=${cursorOf(1)}`)).status).toBe(200);
  const refused = await ask(customer, `after=${cursorOf(3)}`);
  expect(refused.status).toBe(410);
  expect(refused.body.code).toBe('CURSOR_EXPIRED');
  const [, oldest] = /after=([0-9a-z-]+)/.exec(refused.body.error) ?? [];
  const { events } = (await ask(customer, `after=${oldest}&${types}`)).body.data as unknown as {
    events: { subject: { id: string } }[];
  };
  expect(events.map(({ subject }) => subject.id)).toEqual([kept]);
});
