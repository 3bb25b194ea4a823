/** The device replies to people who wrote: to hidden numbers, and with quoted messages. It marks messages as read. */
import type { InboundReport } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { ACCOUNTS, addressesOf, onAccount } from '../../test/server-rules-fixture.js';

const GROUP = '120363000000000001';

async function first(inbound: readonly InboundReport[]): Promise<InboundReport> {
  await waitUntil('a report came', () => inbound.length > 0);
  const [report] = inbound;
  if (!report) throw new Error('no report');
  return report;
}

const readReceipts = (fixture: RelayFixture) =>
  fixture.relay.journal.of('receipt', { from: SENDER }).filter(({ type }) => type === 'read');

test(
  'an answer reaches a person who hides the number, by the id of the report, also in a later session',
  withRelayFixture(async (fixture) => {
    const { session, inbound } = await fixture.online();
    const person = await fixture.person();
    person.phone.hideNumber(true);
    await person.send(SENDER, 'Halo');
    const { userId: recipient = '' } = (await first(inbound)).person ?? {};
    const answer = fixture.message(recipient, 'Ada yang bisa dibantu?');
    await session.typing(recipient, 'start');
    expect(await session.send(answer)).toEqual({ kind: 'sent' });
    expect(await person.received(answer.networkMessageId)).toMatchObject({ text: 'Ada yang bisa dibantu?' });
    expect(addressesOf(fixture, answer.networkMessageId)).toEqual([person.phone.lid]);
    await session.close();
    const later = fixture.message(recipient, 'Masih di sana?');
    const second = await fixture.connected();
    expect(await second.session.send(later)).toEqual({ kind: 'sent' });
    await person.received(later.networkMessageId);
  }),
);

test(
  'a refused answer to a hidden number is not tried at the same address again',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.relay.createPhone('4915200000097');
    fixture.relay.faults.messages({ kind: 'refuse', error: 400 }, { from: SENDER });
    const message = fixture.message(`lid:${person.lid.split('@')[0]}`);
    expect(await session.send(message)).toMatchObject({ kind: 'not-sent' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.lid]);
  }),
);

test(
  'a person who lost the keys gets an answer to a hidden number again',
  withRelayFixture(async (fixture) => {
    const person = await fixture.person();
    person.phone.hideNumber(true);
    const message = fixture.message(`lid:${person.phone.lid.split('@')[0]}`, 'Kode: 1234');
    const { session, inbound } = await fixture.online({ readMessage: async () => message });
    await person.send(SENDER, 'Halo');
    await first(inbound);
    await person.loseSessions();
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(await person.received(message.networkMessageId)).toMatchObject({ text: 'Kode: 1234' });
  }),
);

test.each(ACCOUNTS)('an answer quotes the message that it answers, with its author (%s)', (account) =>
  onAccount(async (fixture) => {
    const { session, inbound } = await fixture.online();
    const person = await fixture.person();
    const theirs = await person.send(SENDER, 'Berapa?');
    await first(inbound);
    const { isMigrated } = fixture.phone;
    for (const [writtenByUs, { lid, jid }] of [[false, person.phone] as const, [true, fixture.phone] as const]) {
      const replyTo = { networkMessageId: theirs, writtenByUs, text: 'Berapa?' };
      const answer = { ...fixture.message(person.number, 'Seratus'), replyTo };
      expect(await session.send(answer)).toEqual({ kind: 'sent' });
      const { quoted } = await person.received(answer.networkMessageId);
      expect(quoted).toEqual({ id: theirs, author: isMigrated ? lid : jid, text: 'Berapa?' });
    }
  })(account),
);

test.each(ACCOUNTS)('messages are marked as read, in direct chats and in groups (%s)', (account) =>
  onAccount(async (fixture) => {
    const { session, inbound } = await fixture.online({ reportsGroups: () => true });
    const person = await fixture.person();
    const id = await person.send(SENDER, 'Halo');
    const { chat, person: writer } = await first(inbound);
    await session.markRead?.(chat, [{ networkMessageId: id, userId: writer?.userId ?? '' }]);
    await person.receivedReceipt(id, 'read');
    const inGroup = await person.phone.write(SENDER, { kind: 'text', text: 'Semua' }, { group: GROUP });
    await waitUntil('it came', () => inbound.length === 2);
    const report = inbound[1];
    if (!report) throw new Error('no report');
    await session.markRead?.(report.chat, [{ networkMessageId: inGroup, userId: report.person?.userId ?? '' }]);
    await waitUntil('both are read', () => readReceipts(fixture).length === 2);
    expect(readReceipts(fixture).map(({ ids, recipient }) => [ids, recipient])).toEqual([
      [[id], person.number],
      [[inGroup], person.number],
    ]);
    await session.markRead?.(chat, []);
    await session.close();
    await expect(session.markRead?.(chat, [])).rejects.toThrow('not connected');
  })(account),
);
