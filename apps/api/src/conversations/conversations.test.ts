import { createAccountKeys, createSealer, readSentMessage, readUntold } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createConnectedDevice, createCustomer, type Customer } from '../../test/customer-fixture.js';
import { personOf, storeReport, textFrom, writeTo } from '../../test/inbound-fixture.js';
import { aMessage, call, type CallOptions } from '../../test/signed-request.js';
import { masterKey, startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi();
});
afterAll(() => t.close());

const budi = personOf('lid:1', '6281200000111');
const hidden = personOf('lid:2', null);

async function data<T = Record<string, unknown>>(
  customer: Customer,
  operation: Parameters<typeof call>[2],
  options: CallOptions = {},
): Promise<T> {
  const answer = await call(t.url, customer, operation, options);
  expect(answer.status, answer.body.error).toBe(200);
  // The schemas of the contracts have checked the shape.
  return answer.body.data as T;
}

type Listed = {
  conversations: {
    conversation_id: string;
    unread: number;
    last_message: { direction: string; text: string | null; status: string | null } | null;
  }[];
  next_cursor: string | null;
};
type Messages = {
  messages: {
    message_id: string;
    text: string | null;
    direction: string;
    status: string | null;
    priority: string | null;
  }[];
  next_cursor: string | null;
};

const send = (customer: Customer, body: object, options: CallOptions = {}) =>
  call(t.url, customer, 'sendMessage', { body, ...options });

/** Makes a stored message look as if it went out. */
const sent = (jobId: unknown) =>
  t.database.pool.query(`UPDATE messages SET status = 'sent', attempts = 1, epoch = 1 WHERE id = $1`, [jobId]);

test('conversations are listed page by page, the last active one first, and unread ones alone', async () => {
  const customer = await createCustomer(t.database);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++)
    ids.push(await writeTo(t.database, customer.deviceId, 'Halo', personOf(`lid:4${i}`, null)));
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Listed = await data<Listed>(customer, 'listConversations', { query });
    seen.push(...page.conversations.map(({ conversation_id }) => conversation_id));
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(ids.toReversed());
  const conversationId = ids[3] ?? '';
  expect(await data(customer, 'markConversationRead', { conversationId })).toMatchObject({ unread: 0 });
  const unread = await data<Listed>(customer, 'listConversations', { query: 'unread=true' });
  expect(unread.conversations.map(({ conversation_id }) => conversation_id)).toEqual(
    ids.filter((id) => id !== conversationId).toReversed(),
  );
});

test('a conversation is listed with its last message of either direction, and none of it is the text of a code', async () => {
  const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
  const body = { ...aMessage, phone_destination: budi.phone };
  await send(customer, { ...body, message: 'before' });
  await writeTo(t.database, customer.deviceId, 'a', personOf('lid:1', null));
  await writeTo(t.database, customer.deviceId, 'b', budi);
  await writeTo(t.database, customer.deviceId, 'c', hidden);
  await send(other, { ...body, message: 'from another account' });
  const last = async () =>
    (await data<Listed>(customer, 'listConversations')).conversations.map(({ last_message: message }) => [
      message?.direction,
      message?.text,
      message?.status,
    ]);
  expect(await last()).toEqual([
    ['inbound', 'c', null],
    ['inbound', 'b', null],
  ]);
  await send(customer, { ...body, message: 'd' });
  expect((await last())[1]).toEqual(['outbound', 'd', 'queued']);
  await send(customer, { ...body, message: 'secret 493021', priority: 'otp' });
  expect((await last())[1]).toEqual(['outbound', null, 'queued']);
});

test('conversations are found by a part of the name of person or contact, or of the number', async () => {
  const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
  await call(t.url, customer, 'saveContact', { body: { phone: '+6281200000222', name: 'Ibu Siti 100%' } });
  await call(t.url, other, 'saveContact', { body: { phone: `+${budi.phone}`, name: 'Ibu Siti' } });
  const one = await writeTo(t.database, customer.deviceId, 'a', budi);
  const two = await writeTo(t.database, customer.deviceId, 'b', {
    ...personOf('lid:2', '6281200000222'),
    name: 'crazy_s',
  });
  const found = async (text: string) =>
    (await data<Listed>(customer, 'listConversations', { query: `q=${encodeURIComponent(text)}` })).conversations.map(
      ({ conversation_id }) => conversation_id,
    );
  expect(await found('siti')).toEqual([two]);
  expect(await found('%')).toEqual([two]);
  expect(await found('bud')).toEqual([one]);
  expect(await found('0812-0000-01')).toEqual([one]);
  expect(await found('')).toEqual([two, one]);
  expect(await found('nobody')).toEqual([]);
});

test('conversations are found by the number, on each device, and not those of an alias or of another account', async () => {
  const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
  await writeTo(t.database, other.deviceId, 'Halo', budi);
  const first = await writeTo(t.database, customer.deviceId, 'Halo', personOf('lid:1', null));
  await writeTo(t.database, customer.deviceId, 'Halo', personOf(budi.phone ?? '', budi.phone));
  await writeTo(t.database, customer.deviceId, 'Halo', budi);
  await writeTo(t.database, customer.deviceId, 'Halo', hidden);
  const deviceId = await createConnectedDevice(t.database, customer.accountId);
  const second = await writeTo(t.database, deviceId, 'Halo', budi);
  const found = async (query: string) =>
    (await data<Listed>(customer, 'listConversations', { query })).conversations.map((found) => found.conversation_id);
  expect(await found(`phone=${budi.phone}`)).toEqual([second, first]);
  expect(await found(`phone=${budi.phone}&device_id=${customer.deviceId}&unread=true`)).toEqual([first]);
  expect(await found('phone=6281200000998')).toEqual([]);
  const refused = await call(t.url, customer, 'listConversations', { query: 'phone=%2B62812' });
  expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_PHONE_NUMBER']);
});

test('an alias gives the conversation that stayed', async () => {
  const customer = await createCustomer(t.database);
  const byNumber = personOf(budi.phone ?? '', budi.phone);
  const older = await writeTo(t.database, customer.deviceId, 'a', personOf('lid:1', null));
  const younger = await writeTo(t.database, customer.deviceId, 'b', byNumber);
  expect(younger).not.toBe(older);
  await writeTo(t.database, customer.deviceId, 'c', budi);
  expect(await data(customer, 'getConversation', { conversationId: younger })).toMatchObject({
    conversation_id: older,
    phone: budi.phone,
    user_id: 'lid:1',
    unread: 3,
  });
  const { messages } = await data<Messages>(customer, 'listConversationMessages', { conversationId: younger });
  expect(messages.map(({ text }) => text)).toEqual(['c', 'b', 'a']);
  const { conversations } = await data<Listed>(customer, 'listConversations');
  expect(conversations).toHaveLength(1);
});

test('marking as read notes what the network is to be told, twice, by an alias, and for a device that is away', async () => {
  const customer = await createCustomer(t.database);
  const older = await writeTo(t.database, customer.deviceId, 'a', personOf('lid:1', null));
  const younger = await writeTo(t.database, customer.deviceId, 'b', personOf(budi.phone ?? '', budi.phone));
  await writeTo(t.database, customer.deviceId, 'c', budi);
  await t.database.pool.query(`UPDATE device_leases SET expires_at = now() - interval '2 ms' WHERE device_id = $1`, [
    customer.deviceId,
  ]);
  for (const conversationId of [younger, older])
    expect(await data(customer, 'markConversationRead', { conversationId })).toMatchObject({
      conversation_id: older,
      unread: 0,
    });
  const [untold, ...others] = await readUntold(t.database, customer.deviceId, 10);
  expect(others).toEqual([]);
  expect([untold?.conversationId, untold?.marks.length]).toEqual([older, 3]);
});

test('a conversation shows both directions, in order, page by page, and no text of a code', async () => {
  const customer = await createCustomer(t.database);
  const conversationId = await writeTo(t.database, customer.deviceId, 'one', budi);
  const body = { ...aMessage, phone_destination: budi.phone };
  await send(customer, { ...body, message: 'two' });
  await writeTo(t.database, customer.deviceId, 'three', budi);
  await send(customer, { ...body, message: 'secret 493021', priority: 'otp' });
  // A message to somebody else stays out.
  await send(customer, { ...body, phone_destination: '6281200000999' });
  const texts: (string | null)[] = [];
  const priorities: (string | null)[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const page: Messages = await data<Messages>(customer, 'listConversationMessages', { conversationId, query });
    texts.push(...page.messages.map(({ text }) => text));
    priorities.push(...page.messages.map(({ priority }) => priority));
    cursor = page.next_cursor;
  }
  expect(texts).toEqual([null, 'three', 'two', 'one']);
  expect(priorities).toEqual(['otp', null, 'normal', null]);
});

describe('a message to a conversation', () => {
  test('goes to its person, also to one who hides the number', async () => {
    const customer = await createCustomer(t.database);
    const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', hidden);
    const body = { message: 'Halo juga', conversation_id: conversationId };
    const { job_id: jobId } = (await send(customer, body)).body.data;
    const { rows } = await t.database.pool.query('SELECT recipient FROM messages WHERE id = $1', [jobId]);
    expect(rows).toEqual([{ recipient: 'lid:2' }]);
    const { messages } = await data<Messages>(customer, 'listConversationMessages', { conversationId });
    expect(messages[0]).toMatchObject({ job_id: jobId, text: 'Halo juga', direction: 'outbound', status: 'queued' });
  });

  test('is repeated under its client_ref even after the number became known', async () => {
    const customer = await createCustomer(t.database);
    const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', personOf('lid:1', null));
    const body = { message: 'Halo juga', conversation_id: conversationId, client_ref: 'one' };
    const first = await send(customer, body);
    await writeTo(t.database, customer.deviceId, 'Halo', budi);
    expect((await send(customer, body)).body.data).toEqual(first.body.data);
  });

  test('is refused for another device, a group, both recipients, none, and a conversation of another account', async () => {
    const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
    const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', budi);
    const deviceId = await createConnectedDevice(t.database, customer.accountId);
    const body = { message: 'Hi', conversation_id: conversationId };
    const onOther = await send(customer, body, { deviceId });
    expect([onOther.status, onOther.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(onOther.body.error).toContain(customer.deviceId);
    const group = { id: 'group:1', type: 'group' } as const;
    await storeReport(t.database, customer.deviceId, { ...textFrom(budi, 'Halo'), chat: group });
    const { conversations } = await data<Listed>(customer, 'listConversations');
    const groupId = conversations[0]?.conversation_id;
    expect((await send(customer, { message: 'Hi', conversation_id: groupId })).body.error).toContain('group');
    expect((await send(customer, { ...aMessage, ...body })).body.error).toContain('conversation_id');
    expect((await send(customer, { message: 'Hi' })).body.error).toContain('phone_destination');
    expect((await send(other, body)).body.code).toBe('CONVERSATION_NOT_FOUND');
  });
});

describe('an answer', () => {
  test('takes the network id and the text of the message to its driver', async () => {
    const customer = await createCustomer(t.database);
    const conversationId = await writeTo(t.database, customer.deviceId, 'Ada stok?', budi);
    const { messages } = await data<Messages>(customer, 'listConversationMessages', { conversationId });
    const body = { ...aMessage, phone_destination: budi.phone, reply_to: messages[0]?.message_id };
    const { job_id: jobId } = (await send(customer, body)).body.data;
    await sent(jobId);
    const { rows } = await t.database.pool.query<{ id: string; said: string }>(
      `SELECT m.network_message_id AS id, i.network_message_id AS said FROM messages m, inbound_messages i
       WHERE m.id = $1 AND i.id = $2`,
      [jobId, messages[0]?.message_id],
    );
    const keys = createAccountKeys(t.database, createSealer(masterKey));
    const stored = await readSentMessage(t.database, keys, customer.deviceId, rows[0]?.id ?? '');
    expect(stored?.replyTo).toEqual({ networkMessageId: rows[0]?.said, writtenByUs: false, text: 'Ada stok?' });
    const shown = await data<Messages>(customer, 'listConversationMessages', { conversationId });
    expect(shown.messages[0]).toMatchObject({ job_id: jobId, reply_to: { text: 'Ada stok?' } });
  });

  test('may answer our own message that went out, in the same chat of the same device only', async () => {
    const [customer, other] = [await createCustomer(t.database), await createCustomer(t.database)];
    const body = { ...aMessage, phone_destination: budi.phone };
    const { job_id: waiting } = (await send(customer, body)).body.data;
    expect((await send(customer, { ...body, reply_to: waiting })).body.error).toContain('reply_to');
    await sent(waiting);
    expect((await send(customer, { ...body, reply_to: waiting })).status).toBe(200);
    expect((await send(customer, { ...body, phone_destination: '6281200000999', reply_to: waiting })).status).toBe(422);
    expect((await send(other, { ...body, reply_to: waiting })).status).toBe(422);
    const deviceId = await createConnectedDevice(t.database, customer.accountId);
    expect((await send(customer, { ...body, reply_to: waiting }, { deviceId })).status).toBe(422);
    expect((await send(customer, { ...body, reply_to: 'rubbish' })).status).toBe(422);
  });

  test('may answer what we sent before the number of the person became known', async () => {
    const customer = await createCustomer(t.database);
    const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', personOf('lid:1', null));
    const toIt = { message: 'Halo juga', conversation_id: conversationId };
    const { job_id: own } = (await send(customer, toIt)).body.data;
    await sent(own);
    await writeTo(t.database, customer.deviceId, 'Ini nomor saya', budi);
    expect((await send(customer, { ...toIt, reply_to: own })).body).toMatchObject({ success: true });
    expect((await send(customer, { ...aMessage, phone_destination: budi.phone, reply_to: own })).status).toBe(200);
    // The conversation of somebody else.
    expect((await send(customer, { ...aMessage, phone_destination: '6281200000999', reply_to: own })).status).toBe(422);
    const others = await writeTo(t.database, customer.deviceId, 'Halo', hidden);
    expect((await send(customer, { ...toIt, conversation_id: others, reply_to: own })).status).toBe(422);
  });

  test('may answer what we sent to the younger of two conversations that turned out to be with one person', async () => {
    const customer = await createCustomer(t.database);
    const byNumber = personOf(budi.phone ?? '', budi.phone);
    const older = await writeTo(t.database, customer.deviceId, 'a', byNumber);
    const younger = await writeTo(t.database, customer.deviceId, 'b', personOf('lid:1', null));
    const { job_id: own } = (await send(customer, { message: 'Halo', conversation_id: younger })).body.data;
    await sent(own);
    await writeTo(t.database, customer.deviceId, 'c', budi);
    const answer = { message: 'Lagi', conversation_id: older, reply_to: own };
    expect((await send(customer, answer)).body).toMatchObject({ success: true });
  });

  test('in a bulk refuses only itself', async () => {
    const customer = await createCustomer(t.database);
    const conversationId = await writeTo(t.database, customer.deviceId, 'Halo', budi);
    const { results } = await data<{ results: { code?: string }[] }>(customer, 'sendBulk', {
      body: {
        messages: [
          { message: 'a', conversation_id: conversationId },
          { message: 'b', conversation_id: 'cnv_01kajp4m3s5y8zt0v6qk2c9hbe' },
          { ...aMessage, reply_to: 'inb_01kajp4m3s5y8zt0v6qk2c9hbe' },
        ],
      },
    });
    expect(results.map(({ code }) => code ?? 'stored')).toEqual([
      'stored',
      'CONVERSATION_NOT_FOUND',
      'INVALID_REQUEST',
    ]);
  });
});

test('a device takes groups only after its owner turned them on, and shows it', async () => {
  const customer = await createCustomer(t.database);
  const shown = (device: Record<string, unknown>) => (device['settings'] as { groups: string }).groups;
  expect(shown(await data(customer, 'updateDevice', { body: { typing_ms: 10 } }))).toBe('none');
  expect(shown(await data(customer, 'updateDevice', { body: { groups: 'all' } }))).toBe('all');
  expect(shown(await data(customer, 'updateDevice', { body: { typing_ms: 20 } }))).toBe('all');
  expect((await call(t.url, customer, 'updateDevice', { body: { groups: 'some' } })).status).toBe(422);
});
