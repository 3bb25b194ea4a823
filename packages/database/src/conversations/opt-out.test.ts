import { type InboundId, usualOptOut } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { budi, inboundOn, nextNetworkId, siti, textFrom, undecryptableFrom } from '../../test/inbound-fixture.js';
import { contentColumns, joinContent, openContents } from '../messages/message-contents.js';
import { textIn } from '../../test/database-fixture.js';

const fixture = useDatabaseFixture();
const { store, events, rows } = inboundOn(fixture);

const suppressionsOf = ({ accountId }: Tenant) =>
  fixture().query<{ recipient: string; scope: string; reason: string; source_id: InboundId }>(
    'SELECT recipient, scope, reason, source_id FROM suppressions WHERE account_id = $1 ORDER BY recipient',
    [accountId],
  );

/** The messages that wait, with their texts. */
async function waiting({ accountId }: Tenant) {
  const found = await fixture().query<{ id: `msg_${string}`; recipient: string; key_id: string; category: number }>(
    `SELECT m.id, m.recipient, m.key_id, m.category, m.body, m.account_id, ${contentColumns}
     FROM messages m ${joinContent('m.id')} WHERE m.account_id = $1 AND m.key_id = 'kurir' ORDER BY m.seq`,
    [accountId],
  );
  const contents = await openContents(fixture().accountKeys, found as never);
  return found.map(({ id, recipient, key_id, category }) => {
    const content = contents.get(id);
    return { recipient, key_id, category, text: content === undefined ? null : textIn(content) };
  });
}

test('a word alone ends marketing over all devices, once, with the message as proof and one confirmation', async () => {
  const tenant = await fixture().tenant();
  const other = await fixture().device(tenant.accountId);
  const recipient = budi.phone ?? '';
  await fixture().accept({ ...tenant, deviceId: other.deviceId }, [{ recipient, category: 'marketing' }]);
  await store(tenant.deviceId, textFrom(budi, 'Halo'), textFrom(budi, '  *Stop!* 🙏 '), textFrom(budi, 'BERHENTI'));
  const proof = (await rows(tenant.deviceId))[1]?.id;
  expect(await suppressionsOf(tenant)).toEqual([
    { recipient, scope: 'marketing', reason: 'keyword', source_id: proof },
    { recipient: budi.userId, scope: 'marketing', reason: 'keyword', source_id: proof },
  ]);
  expect(await waiting(tenant)).toEqual([
    { recipient, key_id: 'kurir', category: 1, text: usualOptOut('ID').stopReply },
  ]);
  const told = await events(tenant);
  expect(told.map(({ type }) => type)).toEqual([
    'message.received',
    'message.received',
    'contact.opted_out',
    'message.received',
  ]);
  expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(told[2]?.data).toMatchObject({ message_id: proof, phone: recipient, user_id: budi.userId });
  // The confirmation is free.
  expect(await fixture().taken(tenant.accountId)).toEqual([0]);
});

test('a word opts in again, and only somebody who had opted out gets an answer', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(siti, 'mulai'));
  expect(await waiting(tenant)).toEqual([]);
  await store(tenant.deviceId, textFrom(siti, 'keluar'), textFrom(siti, 'START'));
  expect(await suppressionsOf(tenant)).toEqual([]);
  expect((await waiting(tenant)).map(({ text }) => text)).toEqual([
    usualOptOut('ID').stopReply,
    usualOptOut('ID').startReply,
  ]);
  expect((await events(tenant)).map(({ type }) => type)).toEqual([
    'message.received',
    'message.received',
    'contact.opted_out',
    'message.received',
    'contact.opted_in',
  ]);
});

test('a pretend phone cannot take back what a person asked of a real device, only what a pretend phone asked', async () => {
  const tenant = await fixture().tenant();
  const real = await fixture().device(tenant.accountId);
  await fixture().query(`UPDATE devices SET network = 'whatsapp' WHERE id = $1`, [real.deviceId]);
  await store(real.deviceId, textFrom(budi, 'STOP'));
  await store(tenant.deviceId, textFrom(budi, 'START'));
  expect(await suppressionsOf(tenant)).toHaveLength(2);
  await store(tenant.deviceId, textFrom(siti, 'STOP'), textFrom(siti, 'START'));
  expect((await suppressionsOf(tenant)).map(({ recipient }) => recipient)).not.toContain(siti.userId);
  await store(real.deviceId, textFrom(budi, 'START'));
  expect(await suppressionsOf(tenant)).toEqual([]);
});

test.each(['please stop calling', 'stop stop', 'batal', '🛑', ''])('%j opts nobody out', async (text) => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(budi, text));
  expect(await suppressionsOf(tenant)).toEqual([]);
});

test('a word in a group opts nobody out', async () => {
  const tenant = await fixture().tenant();
  await store(tenant.deviceId, textFrom(budi, 'STOP', { chat: { id: 'group:1', type: 'group' } }));
  expect(await suppressionsOf(tenant)).toEqual([]);
});

test('the account has its own words and replies', async () => {
  const tenant = await fixture().tenant();
  const own = { stopWords: ['Gak mau'], startWords: ['Mau'], stopReply: null, startReply: 'Siap!' };
  await fixture().query('UPDATE accounts SET opt_out = $2 WHERE id = $1', [tenant.accountId, own]);
  await store(tenant.deviceId, textFrom(budi, 'STOP'));
  expect(await suppressionsOf(tenant)).toEqual([]);
  await store(tenant.deviceId, textFrom(budi, 'gak mau'));
  expect(await suppressionsOf(tenant)).toHaveLength(2);
  expect(await waiting(tenant)).toEqual([]);
  await store(tenant.deviceId, textFrom(budi, 'mau...'));
  expect((await waiting(tenant)).map(({ text }) => text)).toEqual(['Siap!']);
});

test('a word that could not be read at first counts when it can', async () => {
  const tenant = await fixture().tenant();
  const id = nextNetworkId();
  await store(tenant.deviceId, undecryptableFrom(budi, id));
  await store(tenant.deviceId, { ...textFrom(budi, 'stop'), networkMessageId: id });
  expect(await suppressionsOf(tenant)).toHaveLength(2);
});

test('somebody who gets nothing at all gets no confirmation either', async () => {
  const tenant = await fixture().tenant();
  const { fingerprintKey } = await fixture().accountKeys.fingerprinting(tenant.accountId);
  const { recipientKeyOf } = await import('../recipients/suppressed.js');
  await fixture().query(
    `INSERT INTO suppressions (account_id, recipient_key, recipient, scope, reason) VALUES ($1, $2, $3, 'all', 'complaint')`,
    [tenant.accountId, recipientKeyOf(fingerprintKey, budi.phone ?? ''), budi.phone],
  );
  await store(tenant.deviceId, textFrom(budi, 'stop'));
  expect(await waiting(tenant)).toEqual([]);
});
