/** Messages of people, from the network to the report. `report-of.test.ts` has the finer cases. */
import type { Identified, InboundReport } from '@kurir/network';
import { waitUntil, writtenText } from '@kurir/network/conformance';
import type { Letter } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import { acknowledgedAll, answersTo, onAccount, ACCOUNTS } from '../../test/server-rules-fixture.js';

const STRANGER = '4915200000099';
const GROUP = '120363000000000001';

const stranger = (fixture: RelayFixture) => fixture.relay.createPhone(STRANGER);
const came = (inbound: readonly InboundReport[], count: number) =>
  waitUntil(`${count} reports came`, () => inbound.length >= count);

test.each(ACCOUNTS)('messages of every kind are reported in order, with their sender (%s)', (account) =>
  onAccount(async (fixture) => {
    const { inbound } = await fixture.online();
    const writer = await stranger(fixture);
    const letters: readonly [Letter, object][] = [
      [
        { kind: 'text', text: 'Halo' },
        { type: 'text', text: 'Halo' },
      ],
      [
        { kind: 'file', type: 'image', caption: 'Ini' },
        { type: 'image', text: 'Ini' },
      ],
      [
        { kind: 'file', type: 'voice' },
        { type: 'voice', media: { seconds: 4 } },
      ],
      [
        { kind: 'file', type: 'document', caption: 'Nota', fileName: 'a.pdf' },
        { type: 'document', text: 'Nota' },
      ],
      [{ kind: 'location', latitude: -6.2, longitude: 106.8, live: true }, { type: 'location' }],
      [{ kind: 'contact', name: 'Budi', phone: '62812' }, { type: 'contacts' }],
      [{ kind: 'poll', question: 'Datang?', options: ['Ya', 'Tidak'] }, { type: 'poll' }],
      [
        { kind: 'order', title: 'Pesanan' },
        { type: 'unsupported', rawType: 'orderMessage', text: 'Pesanan' },
      ],
    ];
    const ids: string[] = [];
    for (const [letter] of letters) ids.push(await writer.write(SENDER, letter));
    await came(inbound, letters.length);
    expect(inbound.map(({ kind, networkMessageId }) => [kind, networkMessageId])).toEqual(
      ids.map((id) => ['message', id]),
    );
    expect(inbound).toMatchObject(letters.map(([, content]) => ({ content })));
    const userId = `lid:${writer.lid.split('@')[0]}`;
    expect(inbound[0]).toMatchObject({
      person: { userId, phone: STRANGER, name: 'Person 0099' },
      chat: { id: userId, type: 'direct' },
      offline: false,
    });
    await acknowledgedAll(fixture);
  })(account),
);

test(
  'answers, edits, deletions and reactions name the message that they are about',
  withRelayFixture(async (fixture) => {
    const { session, inbound } = await fixture.online();
    const writer = await stranger(fixture);
    const ours = fixture.message(STRANGER);
    await session.send(ours);
    const { networkMessageId: of } = ours;
    await writer.write(SENDER, { kind: 'text', text: 'Ya', replyTo: { id: of, text: 'Halo' } });
    await writer.write(SENDER, { kind: 'button', text: 'Setuju', of });
    const theirs = await writer.write(SENDER, { kind: 'text', text: 'Beasok' });
    await writer.write(SENDER, { kind: 'edit', of: theirs, text: 'Besok' });
    await writer.write(SENDER, { kind: 'reaction', of, emoji: '👍' });
    await writer.write(SENDER, { kind: 'reaction', of, emoji: '' });
    await writer.write(SENDER, { kind: 'deletion', of: theirs });
    await came(inbound, 7);
    const their = { networkMessageId: theirs, writtenByUs: false };
    const our = { networkMessageId: of, writtenByUs: true };
    expect(inbound).toMatchObject([
      { kind: 'message', replyTo: { networkMessageId: of, text: 'Halo' } },
      { kind: 'message', content: { text: 'Setuju' }, replyTo: { networkMessageId: of, text: null } },
      { kind: 'message' },
      { kind: 'edited', target: their, content: { text: 'Besok' } },
      { kind: 'reaction', target: our, emoji: '👍' },
      { kind: 'reaction', target: our, emoji: null },
      { kind: 'deleted', target: their },
    ]);
    await acknowledgedAll(fixture);
  }),
);

test.each(ACCOUNTS)('what the owner writes with the phone is reported as sent elsewhere (%s)', (account) =>
  onAccount(async (fixture) => {
    const { inbound } = await fixture.online();
    const { lid } = await stranger(fixture);
    const id = await fixture.phone.writeElsewhere(STRANGER, { kind: 'text', text: 'Siap' });
    await fixture.phone.writeElsewhere(STRANGER, { kind: 'reaction', of: id, emoji: '👍' });
    await acknowledgedAll(fixture);
    const userId = `lid:${lid.split('@')[0]}`;
    expect(inbound).toMatchObject([
      {
        kind: 'sent-elsewhere',
        networkMessageId: id,
        content: { text: 'Siap' },
        chat: { id: userId, type: 'direct' },
        person: { userId, phone: STRANGER },
      },
    ]);
    expect(inbound).toHaveLength(1);
  })(account),
);

test(
  'a person who hides the number is reported without it, and is identified when the driver learns it',
  withRelayFixture(async (fixture) => {
    const identified: Identified[] = [];
    const { session, inbound } = await fixture.online({
      events: { identified: async (report) => void identified.push(report) },
    });
    const writer = await stranger(fixture);
    writer.hideNumber(true);
    writer.setUsername('budi');
    await writer.write(SENDER, { kind: 'text', text: 'Halo' });
    await came(inbound, 1);
    const userId = `lid:${writer.lid.split('@')[0]}`;
    expect(inbound).toMatchObject([{ person: { userId, phone: null, username: 'budi' }, chat: { id: userId } }]);
    // Sending to the number asks the network, which tells the LID.
    await session.send(fixture.message(STRANGER));
    await waitUntil('it is identified', () => identified.length > 0);
    expect(identified).toEqual([{ userId, phone: STRANGER }]);
    await writer.write(SENDER, { kind: 'text', text: 'Lagi' });
    await came(inbound, 2);
    expect(inbound[1]).toMatchObject({ person: { userId, phone: STRANGER } });
  }),
);

test(
  'messages of a group are reported only while the worker asks for them',
  withRelayFixture(async (fixture) => {
    let isAsked = false;
    const { inbound } = await fixture.online({ reportsGroups: () => isAsked });
    const writer = await stranger(fixture);
    await writer.write(SENDER, { kind: 'text', text: 'unheard' }, { group: GROUP });
    await acknowledgedAll(fixture);
    expect(inbound).toEqual([]);
    isAsked = true;
    const other = await fixture.relay.createPhone('4915200000098');
    for (const text of ['one', 'two']) await other.write(SENDER, { kind: 'text', text }, { group: GROUP });
    await came(inbound, 2);
    const chat = { id: GROUP, type: 'group' };
    expect(inbound).toMatchObject([
      { kind: 'message', chat, person: { phone: other.number }, content: { text: 'one' } },
      { kind: 'message', chat, person: { phone: other.number }, content: { text: 'two' } },
    ]);
    // Its key came with the message that was not read. The driver asks for the message again.
    const id = await writer.write(SENDER, { kind: 'text', text: 'heard' }, { group: GROUP });
    await came(inbound, 4);
    const reports = inbound.filter(({ networkMessageId }) => networkMessageId === id);
    expect(reports).toMatchObject([
      { kind: 'undecryptable', chat, person: { phone: STRANGER } },
      { kind: 'message', chat, person: { phone: STRANGER }, content: { text: 'heard' } },
    ]);
    await acknowledgedAll(fixture);
    const errors = fixture.relay.journal.of('acknowledgement', { from: SENDER }).map(({ error }) => error);
    expect(errors.filter((error) => error !== null)).toEqual([]);
  }),
);

test(
  'messages of a group that waited are read in order, with the keys that came with the first',
  withRelayFixture(async (fixture) => {
    await fixture.link();
    const writer = await stranger(fixture);
    const texts = Array.from({ length: 20 }, (_, index) => `nomor ${index}`);
    for (const text of texts) await writer.write(SENDER, { kind: 'text', text }, { group: GROUP });
    const { inbound } = await fixture.connected({ reportsGroups: () => true });
    await came(inbound, texts.length);
    expect(inbound.map(writtenText)).toEqual(texts);
    expect(inbound.every(({ offline }) => offline)).toBe(true);
    await acknowledgedAll(fixture);
  }),
);

test.each([undefined, GROUP])(
  'a message that cannot be read is reported, and reported again when it can be (group %s)',
  (group) =>
    withRelayFixture(async (fixture) => {
      const { inbound } = await fixture.online({ reportsGroups: () => true });
      const writer = await stranger(fixture);
      const place = group === undefined ? {} : { group };
      const id = await writer.write(SENDER, { kind: 'text', text: 'Halo' }, { ...place, unreadable: true });
      await waitUntil('it was read', () => inbound.some(({ kind }) => kind === 'message'));
      expect(inbound).toMatchObject([
        { kind: 'undecryptable', networkMessageId: id, person: { phone: STRANGER } },
        { kind: 'message', networkMessageId: id, content: { text: 'Halo' } },
      ]);
      await acknowledgedAll(fixture);
      expect(answersTo(fixture, id).filter((error) => error !== null)).toEqual([]);
    })(),
);

test(
  'a message that only the phone can read is reported, and reported again when the phone has sent it',
  withRelayFixture(async (fixture) => {
    let refusals = 1;
    const inbound: InboundReport[] = [];
    const first = await fixture.online({
      events: {
        inbound: async (report) => {
          inbound.push(report);
          if (report.kind === 'message' && refusals-- > 0) throw new Error('the database is away');
        },
      },
    });
    const writer = await stranger(fixture);
    const id = await writer.write(SENDER, { kind: 'text', text: 'Iklan' }, { throughPhone: true });
    await waitUntil('the phone has sent it', () => inbound.some(({ kind }) => kind === 'message'), 20_000);
    expect(inbound).toMatchObject([
      { kind: 'undecryptable', networkMessageId: id, person: { phone: STRANGER } },
      { kind: 'message', networkMessageId: id, person: { phone: STRANGER }, content: { text: 'Iklan' } },
    ]);
    // The worker did not store it, so the phone's message is not acknowledged and comes again.
    await first.session.close();
    const second = await fixture.connected();
    await came(second.inbound, 1);
    expect(second.inbound).toMatchObject([{ kind: 'message', networkMessageId: id, content: { text: 'Iklan' } }]);
    await acknowledgedAll(fixture);
  }),
);

test(
  'a message whose content never reaches a companion is reported as unsupported, with the reason',
  withRelayFixture(async (fixture) => {
    const { inbound } = await fixture.online();
    const writer = await stranger(fixture);
    const withheld = 'view_once_unavailable_fanout';
    const id = await writer.write(SENDER, { kind: 'text', text: 'sekali' }, { withheld });
    await acknowledgedAll(fixture);
    const content = { type: 'unsupported', rawType: withheld, text: null };
    expect(inbound).toMatchObject([{ kind: 'message', networkMessageId: id, content, person: { phone: STRANGER } }]);
    expect(answersTo(fixture, id)).toEqual([null]);
  }),
);

test(
  'rubbish is reported as undecryptable, empty messages as unsupported, and the session goes on',
  withRelayFixture(async (fixture) => {
    const { inbound, ends } = await fixture.online();
    const writer = await stranger(fixture);
    // A message in a message, deeper than a reader can follow: field 40, then field 1, again and again.
    let nested: Buffer = Buffer.from('0a0161', 'hex');
    for (let depth = 0; depth < 3_000; depth += 1) nested = lengthDelimited('c202', lengthDelimited('0a', nested));
    const bytes = [Buffer.from('0aff01', 'hex'), Buffer.alloc(0), Buffer.from('9a06047465737', 'hex'), nested];
    for (const each of bytes) await writer.write(SENDER, { kind: 'bytes', base64: each.toString('base64') });
    const last = await writer.write(SENDER, { kind: 'text', text: 'after' });
    await waitUntil('the last came', () => inbound.some(({ networkMessageId }) => networkMessageId === last));
    await acknowledgedAll(fixture);
    expect(new Set(inbound.map(({ networkMessageId }) => networkMessageId)).size).toBe(bytes.length + 1);
    expect(ends).toEqual([]);
  }),
);

function lengthDelimited(tag: string, content: Buffer): Buffer {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) return Buffer.concat([Buffer.from(tag, 'hex'), Buffer.from(length), content]);
  }
}
