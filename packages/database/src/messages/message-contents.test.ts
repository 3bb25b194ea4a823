import { textContent } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { readForRetry } from './read-messages.js';
import { readSentMessage, readSentRecipient } from './read-sent.js';

const fixture = useDatabaseFixture();

async function accepted(tenant: Tenant, input: TestInput = {}) {
  return present((await fixture().accept(tenant, [input]))[0]).messageId;
}

async function keptOf({ accountId }: Tenant, id: Awaited<ReturnType<typeof accepted>>) {
  return (await readForRetry(fixture().database, fixture().accountKeys, accountId, id))?.content;
}

test('a text is stored in the clear neither with its message nor with its content', async () => {
  const tenant = await fixture().tenant();
  const id = await accepted(tenant, { text: 'Kode: 493021' });
  const [row] = await fixture().query<{ all: string; sealed: Buffer; kind: string }>(
    `SELECT m::text AS all, c.sealed, c.kind FROM messages m JOIN message_contents c ON c.message_id = m.id COLLATE "C"
     WHERE m.id = $1`,
    [id],
  );
  expect(row?.all).not.toContain('493021');
  expect(row?.sealed.includes('493021')).toBe(false);
  expect(row?.kind).toBe('text');
  expect(await keptOf(tenant, id)).toEqual(textContent('Kode: 493021'));
});

test('a text that an earlier version stored with its message is sent', async () => {
  const tenant = await fixture().tenant();
  const id = await accepted(tenant);
  await fixture().query('DELETE FROM message_contents WHERE message_id = $1', [id]);
  await fixture().change(id, `body = 'as before'`);
  expect(await keptOf(tenant, id)).toEqual(textContent('as before'));
  const claim = await fixture().claim(tenant.holder);
  expect(claim).toMatchObject({ kind: 'claimed', message: { content: textContent('as before') } });
});

test.each([
  ['unreadable', 'was erased', 'DELETE FROM message_contents WHERE message_id = $1'],
  [
    'unreadable',
    'was damaged',
    `UPDATE message_contents SET sealed = set_byte(sealed, 20, 255 - get_byte(sealed, 20)) WHERE message_id = $1`,
  ],
  ['unreadable', 'lost its key', `UPDATE message_contents SET key_number = 9 WHERE message_id = $1`],
  ['unknown', 'is of a kind of a newer version', `UPDATE message_contents SET kind = 'hologram' WHERE message_id = $1`],
])('a claim says `%s` of a content that %s', async (said, _what, damage) => {
  const tenant = await fixture().tenant();
  const id = await accepted(tenant);
  await fixture().query(damage, [id]);
  expect(await fixture().claim(tenant.holder)).toMatchObject({ kind: 'claimed', message: { content: said } });
  expect(await keptOf(tenant, id)).toBeNull();
});

test('a content cannot be read under another message', async () => {
  const tenant = await fixture().tenant();
  const [one, other] = [await accepted(tenant, { text: 'one' }), await accepted(tenant, { text: 'other' })];
  await fixture().query(
    `UPDATE message_contents c SET sealed = o.sealed FROM message_contents o WHERE c.message_id = $1 AND o.message_id = $2`,
    [one, other],
  );
  expect(await keptOf(tenant, one)).toBeNull();
  expect(await keptOf(tenant, other)).toEqual(textContent('other'));
});

test('a sent message can be read again while its content is kept, and its recipient for longer', async () => {
  const tenant = await fixture().tenant();
  const [standing] = await fixture().sending(tenant);
  const { id, networkMessageId } = present(standing);
  const { database, accountKeys } = fixture();
  const read = () => readSentMessage(database, accountKeys, tenant.deviceId, networkMessageId);
  expect(await read()).toEqual({ recipient: '6281234567890', content: textContent('Halo') });
  expect(await readSentMessage(database, accountKeys, 'dev_other', networkMessageId)).toBeNull();
  await fixture().query('DELETE FROM message_contents WHERE message_id = $1', [id]);
  expect(await read()).toBeNull();
  expect(await readSentRecipient(database, tenant.deviceId, networkMessageId)).toBe('6281234567890');
});
