/** WhatsApp's read receipts reach the phones of those whose messages were read. */
import type { ConversationId } from '@kurir/contracts';
import { markRead } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { expect, test } from 'vitest';
import type { Customer } from '../../test/account-fixture.js';
import { newPhoneNumber } from '../../test/network.js';
import { useWhatsappFixture } from '../../test/whatsapp-fixture.js';

const fixture = useWhatsappFixture();
const group = '120363000000000001';

const conversations = ({ deviceId }: Customer) =>
  fixture().query<{ id: ConversationId; phone: string | null; type: string; unread: number; untold: string | null }>(
    'SELECT id, phone, type, unread, read_marks_through AS untold FROM conversations WHERE device_id = $1 ORDER BY id',
    [deviceId],
  );

/** The read receipts of the account: the message and the number to which the receipt went. */
const receipts = ({ number }: Customer) =>
  fixture()
    .relay.journal.of('receipt', { from: number })
    .filter(({ type }) => type === 'read')
    .flatMap(({ ids, recipient }) => ids.map((id) => `${id} ${recipient}`));

/** The network's ids of the messages in a conversation. */
const idsIn = async (conversationId: string): Promise<string[]> =>
  (
    await fixture().query<{ id: string }>(
      'SELECT network_message_id AS id FROM inbound_messages WHERE conversation_id = $1',
      [conversationId],
    )
  ).map(({ id }) => id);

test('read receipts reach a person, one whose number is hidden, and the writer in a group', async () => {
  const { accountId } = await fixture().customer();
  const customer = await fixture().unlinkedDevice(accountId, { network: 'whatsapp' });
  await fixture().query(`UPDATE devices SET "groups" = 'all' WHERE id = $1`, [customer.deviceId]);
  await fixture().linkByQr(customer);
  const plain = await fixture().phone({ number: newPhoneNumber() });
  const hidden = await fixture().phone({ number: newPhoneNumber() });
  hidden.hideNumber(true);
  for (const phone of [plain, plain, hidden]) await phone.write(customer.number, { kind: 'text', text: 'Halo' });
  await plain.write(customer.number, { kind: 'text', text: 'Semua' }, { group });
  const unread = async () => (await conversations(customer)).reduce((sum, row) => sum + row.unread, 0);
  await waitUntil(async () => (await unread()) === 4, { what: 'the messages are stored' });
  const begun = await conversations(customer);
  expect(begun.map(({ type, phone }) => [type, phone])).toEqual([
    ['direct', plain.number],
    ['direct', null],
    ['group', null],
  ]);
  for (const { id } of begun) await markRead(fixture().database, customer.accountId, id);
  await waitUntil(async () => (await conversations(customer)).every(({ untold }) => untold === null), {
    what: 'all is told',
  });
  const writers = [plain.number, hidden.number, plain.number];
  for (const [i, { id }] of begun.entries()) {
    const ids = await idsIn(id);
    expect(ids).not.toEqual([]);
    await waitUntil(() => ids.every((sent) => receipts(customer).includes(`${sent} ${writers[i]}`)), {
      what: `the receipts of chat ${i} arrive`,
    });
  }
});
