/** Tests of an agent: somebody who reads the conversations of an account, answers in them, and sees nothing else. */
import type { ConversationId, DeviceId } from '@kurir/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConnectedDevice } from '../../test/customer-fixture.js';
import { writeTo } from '../../test/inbound-fixture.js';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { aMessage } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let owner: Person;
let agent: Person;
let deviceId: DeviceId;
let conversationId: ConversationId;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  owner = await signUp(t.url);
  agent = await signUpAs(t.url, t.database, owner.accountId, 'agent');
  deviceId = await createConnectedDevice(t.database, owner.accountId);
  conversationId = await writeTo(t.database, deviceId, 'Apakah masih ada?');
});
afterAll(() => t.close());

const params = () => ({ params: { conversation_id: conversationId } });

test('reads conversations with the names of people, and answers in them', async () => {
  const { body } = await agent.browser.call('listConversations');
  expect(body.data['conversations']).toMatchObject([{ conversation_id: conversationId, name: 'Budi' }]);
  expect((await agent.browser.call('nameContacts', { body: { phones: ['6281234567890'] } })).status).toBe(200);
  expect((await agent.browser.call('listConversationMessages', params())).status).toBe(200);
  expect((await agent.browser.call('markConversationRead', params())).status).toBe(200);
  const answer = { conversation_id: conversationId, message: 'Masih ada, Kak.' };
  const sent = await agent.browser.call('sendMessage', { deviceId, body: answer });
  expect([sent.status, sent.body.code]).toEqual([200, undefined]);
});

test('writes to no number, and starts no typing signal there', async () => {
  const sent = await agent.browser.call('sendMessage', { deviceId, body: aMessage });
  expect([sent.status, sent.body.code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
  const body = { action: 'start', phone_destination: aMessage.phone_destination };
  expect((await agent.browser.call('chatPresence', { deviceId, body })).body.code).toBe('ROLE_NOT_ALLOWED');
});

test.each([
  'listKeys',
  'listDevices',
  'listMembers',
  'listInvoices',
  'listLedger',
  'listPlans',
  'listBroadcasts',
  'listContacts',
  'listMessages',
  'exportMessages',
  'readOverview',
  'listWebhooks',
  'listEvents',
  'listAudit',
] as const)('may not use %s', async (operation) => {
  const answer = await agent.browser.call(operation);
  expect([answer.status, answer.body.code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
});

test('sees of live events that something changed, and no number', async () => {
  const abort = new AbortController();
  const stream = await fetch(`${t.url}/app/api/events`, {
    headers: { Cookie: agent.browser.cookie },
    signal: abort.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) text += Buffer.from(chunk as Uint8Array).toString('utf8');
  })().catch(() => undefined);
  await owner.browser.call('sendMessage', { deviceId, body: aMessage });
  await owner.browser.call('updateDevice', { deviceId, body: { name: 'Kasir' } });
  await writeTo(t.database, deviceId, 'Halo?');
  await expect.poll(() => text, { timeout: 20_000 }).toContain('event: conversation');
  await expect.poll(() => text, { timeout: 20_000 }).toMatch(/event: messages\ndata: \{\}/);
  abort.abort();
  await reading;
  expect(text).not.toContain(aMessage.phone_destination);
  expect(text).not.toMatch(/event: (message|device|broadcast|account)\n/);
});

test('is invited as such, and made such, by an owner', async () => {
  const invited = { email: 'cs@toko.example', role: 'agent' };
  expect((await owner.browser.call('inviteMember', { body: invited })).body.data['role']).toBe('agent');
  const developer = await signUpAs(t.url, t.database, owner.accountId, 'developer');
  const changed = await owner.browser.call('changeRole', {
    params: { user_id: developer.userId },
    body: { role: 'agent' },
  });
  expect(changed.body.data['role']).toBe('agent');
  expect((await developer.browser.call('listKeys')).status).toBe(403);
});
