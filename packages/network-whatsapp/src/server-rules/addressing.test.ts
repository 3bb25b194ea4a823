/** Which of a person's two addresses a message goes to, as the real server requires it since July 2026. */
import { expect, test } from 'vitest';
import { SENDER, withRelayFixture } from '../../test/relay-fixture.js';
import {
  ACCOUNTS,
  addressesOf,
  addressOf,
  onAccount,
  triesOf,
  withOwnCompanion,
} from '../../test/server-rules-fixture.js';

test(
  'a migrated account writes to the LID, names the number too, and the text arrives',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(triesOf(fixture, message.networkMessageId)).toMatchObject([
      { address: person.phone.lid, recipientAddress: person.phone.jid, error: null },
    ]);
    expect(await person.received(message.networkMessageId)).toMatchObject({ text: 'Halo', from: SENDER, copies: 1 });
  }),
);

test(
  'an account that is not migrated writes to the number, and the text arrives',
  withRelayFixture(async (fixture) => {
    fixture.phone.setMigrated(false);
    const { session } = await fixture.online();
    const person = await fixture.person();
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.jid]);
    expect(await person.received(message.networkMessageId)).toMatchObject({ text: 'Halo', copies: 1 });
  }),
);

test.each(ACCOUNTS)(
  'receipts are reported for either address of the person (%s)',
  onAccount(async (fixture) => {
    const { session, receipts } = await fixture.online();
    const person = await fixture.person();
    const message = fixture.message(person.number);
    await session.send(message);
    await person.received(message.networkMessageId);
    await person.read(message.networkMessageId);
    await expect.poll(() => receipts.map(({ status }) => status)).toEqual(['delivered', 'read']);
  }),
);

test.each(ACCOUNTS)(
  'typing goes to the address that messages go to (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    await session.send(fixture.message(person.number));
    await session.typing(person.number, 'start');
    await person.sawChatState(SENDER, 'composing');
    const states = fixture.relay.journal.of('chat-state', { from: SENDER });
    expect(states.map(({ address }) => address)).toEqual([addressOf(fixture, person)]);
  }),
);

test.each(ACCOUNTS)(
  'typing before the first message goes to that address too (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    await session.typing(person.number, 'start');
    await person.sawChatState(SENDER, 'composing');
    const states = fixture.relay.journal.of('chat-state', { from: SENDER });
    expect(states.map(({ address }) => address)).toEqual([addressOf(fixture, person)]);
  }),
);

test(
  'a number that is refused with 463, without a restriction, is tried once by LID, under the same id',
  withRelayFixture(async (fixture) => {
    fixture.phone.setMigrated(false);
    const { session } = await fixture.online();
    const person = await fixture.person();
    fixture.phone.setMigrated(true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.jid, person.phone.lid]);
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
  }),
);

test(
  'a LID that is refused with 400 is tried once by number, under the same id',
  withRelayFixture(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    fixture.phone.setMigrated(false);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.lid, person.phone.jid]);
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
  }),
);

test(
  'while a try is unanswered the other address is never tried, not even when the next try is refused',
  withRelayFixture(
    async (fixture) => {
      const { session } = await fixture.online();
      const person = await fixture.person();
      fixture.relay.faults.messages({ kind: 'lose-acknowledgement' }, { from: SENDER });
      const message = fixture.message(person.number);
      expect(await session.send(message)).toMatchObject({ kind: 'unknown' });
      fixture.phone.setMigrated(false);
      expect(await session.send(message)).not.toEqual({ kind: 'sent' });
      expect(new Set(addressesOf(fixture, message.networkMessageId))).toEqual(new Set([person.phone.lid]));
    },
    { ackTimeoutMs: 500 },
  ),
);

test(
  'an unanswered message keeps its address in the next session, also if the account was migrated since',
  withRelayFixture(
    async (fixture) => {
      fixture.phone.setMigrated(false);
      const first = await fixture.online();
      const person = await fixture.person();
      fixture.relay.faults.messages({ kind: 'lose-acknowledgement' }, { from: SENDER });
      const message = fixture.message(person.number);
      expect(await first.session.send(message)).toMatchObject({ kind: 'unknown' });
      await first.session.close();
      fixture.phone.setMigrated(true);
      const { session } = await fixture.connected();
      await session.send(message);
      expect(addressesOf(fixture, message.networkMessageId)).toEqual([person.phone.jid, person.phone.jid]);
    },
    { ackTimeoutMs: 500 },
  ),
);

test.each(ACCOUNTS)(
  'copies for the account’s own devices have the same kind of address (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    const person = await fixture.person();
    await withOwnCompanion(fixture, async (own) => {
      const message = fixture.message(person.number);
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      const [tried] = triesOf(fixture, message.networkMessageId);
      expect(tried).toMatchObject({ error: null });
      expect(tried?.copies.map(({ device }) => device)).toContain(`${SENDER}:${own.deviceId}`);
    });
  }),
);

test(
  'Signal sessions that were made by number serve an account that is migrated later: kinds of address never mix',
  withRelayFixture(async (fixture) => {
    fixture.phone.setMigrated(false);
    const { session } = await fixture.online();
    const person = await fixture.person();
    await session.send(fixture.message(person.number));
    fixture.phone.setMigrated(true);
    const message = fixture.message(person.number);
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    expect(await person.received(message.networkMessageId)).toMatchObject({ copies: 1 });
    const errors = triesOf(fixture, message.networkMessageId).map(({ error }) => error);
    expect(errors).not.toContain(400);
  }),
);

test.each(ACCOUNTS)(
  'a text to the account’s own number reaches its other devices, each once (%s)',
  onAccount(async (fixture) => {
    const { session } = await fixture.online();
    await withOwnCompanion(fixture, async (own) => {
      const message = fixture.message(SENDER);
      expect(await session.send(message)).toEqual({ kind: 'sent' });
      const [sent] = triesOf(fixture, message.networkMessageId);
      const devices = sent?.copies.map(({ device }) => device);
      expect(devices?.toSorted()).toEqual([`${SENDER}:0`, `${SENDER}:${own.deviceId}`]);
    });
  }),
);
