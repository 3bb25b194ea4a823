/** The messages of ours from before the person wrote. */
import { newId } from '@kurir/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBroadcast } from '../../test/broadcast-error-cases.js';
import { createConnectedDevice, createCustomer, type Customer } from '../../test/customer-fixture.js';
import { personOf, writeTo } from '../../test/inbound-fixture.js';
import { aMessage, call, type CallOptions } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const budi = personOf('lid:1', '6281200000111');

type Messages = {
  messages: { message_id: string; text: string | null; status: string | null; reason: string | null }[];
  next_cursor: string | null;
};

async function list(customer: Customer, conversationId: string, query = 'limit=50'): Promise<Messages> {
  const answer = await call(t.url, customer, 'listConversationMessages', { conversationId, query });
  expect(answer.status, answer.body.error).toBe(200);
  // The schemas of the contracts have checked the shape.
  return answer.body.data as unknown as Messages;
}

const send = (customer: Customer, body: object, options: CallOptions = {}) =>
  call(t.url, customer, 'sendMessage', { body, ...options });

test('a message from before the person wrote is in the conversation with its status and its reason, page by page, and only for this device and account', async () => {
  const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
  const body = { ...aMessage, phone_destination: budi.phone };
  const jobs: unknown[] = [];
  for (const message of ['one', 'two', 'three'])
    jobs.push((await send(customer, { ...body, message })).body.data['job_id']);
  await t.database.pool.query(`UPDATE messages SET status = 'sent', attempts = 1, epoch = 1 WHERE id = $1`, [jobs[0]]);
  await t.database.pool.query(
    `UPDATE messages SET status = 'failed', reason = 'recipient_not_on_network' WHERE id = $1`,
    [jobs[1]],
  );
  const deviceId = await createConnectedDevice(t.database, customer.accountId);
  await send(customer, { ...body, message: 'from the other device' }, { deviceId });
  await send(other, { ...body, message: 'from another account' });
  const conversationId = await writeTo(t.database, customer.deviceId, 'four', budi);
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Messages = await list(customer, conversationId, query);
    seen.push(...page.messages.map(({ text, status, reason }) => [text, status, reason]));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual([
    ['four', null, null],
    ['three', 'queued', null],
    ['two', 'failed', 'recipient_not_on_network'],
    ['one', 'sent', null],
  ]);
});

test('a message to the number is there also if the number became known later, and not when another person has the number now', async () => {
  const customer = await createCustomer(t.database);
  const textsOf = async (conversationId: string) =>
    (await list(customer, conversationId)).messages.map(({ text }) => text);
  const body = { ...aMessage, phone_destination: budi.phone };
  await send(customer, { ...body, message: 'by number' });
  const conversationId = await writeTo(t.database, customer.deviceId, 'a', personOf('lid:1', null));
  expect(await textsOf(conversationId)).toEqual(['a']);
  await writeTo(t.database, customer.deviceId, 'b', budi);
  expect(await textsOf(conversationId)).toEqual(['b', 'a', 'by number']);
  await send(customer, { ...body, message: 'to Budi' });
  const heir = await writeTo(t.database, customer.deviceId, 'c', personOf('lid:9', budi.phone));
  await send(customer, { ...body, message: 'to the heir' });
  expect(await textsOf(heir)).toEqual(['to the heir', 'c']);
  expect(await textsOf(conversationId)).toContain('to Budi');
});

test('a message of a broadcast has its name and stands at the time of its release', async () => {
  const customer = await createCustomer(t.database);
  const broadcastId = await createBroadcast(t, customer, 1);
  const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', budi);
  const { job_id: jobId } = (await send(customer, { ...aMessage, phone_destination: budi.phone })).body.data;
  // The ids of a broadcast's messages begin with the time of its round.
  const early = newId('msg', Date.now() - 3_600_000);
  await t.database.pool.query('DELETE FROM conversation_messages WHERE message_id = $1', [jobId]);
  await t.database.pool.query(`UPDATE messages SET id = $2, status = 'read', broadcast_id = $3 WHERE id = $1`, [
    jobId,
    early,
    broadcastId,
  ]);
  const { messages } = await list(customer, conversationId);
  expect(messages[0]).toMatchObject({
    job_id: early,
    text: null,
    status: 'read',
    broadcast: { broadcast_id: broadcastId, name: 'Promo' },
  });
  expect(messages).toHaveLength(2);
});
