/** A companion of the recipient that lost its keys asks again, and can decrypt the resend. */
import type { ConnectOptions, CredentialStore, OutgoingMessage } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { createRecipient, type Recipient } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { type RelayFixture, SENDER } from '../../test/relay-fixture.js';
import {
  ACCOUNTS,
  acknowledgedAll,
  acquainted,
  answersTo,
  onAccount,
  triesOf,
} from '../../test/server-rules-fixture.js';

type ReadMessage = NonNullable<ConnectOptions['readMessage']>;

/** A number of São Paulo as the server writes it, and as people there dial it. */
const CANONICAL = '551187654321';
const DIALLED = '5511987654321';

/** The messages that the worker has stored. */
function stored(...messages: readonly OutgoingMessage[]): ReadMessage {
  return async (id) => messages.find(({ networkMessageId }) => networkMessageId === id) ?? null;
}

/** The resend was one copy that the server accepted, and the person sees the text once. */
async function isRead(
  fixture: RelayFixture,
  person: Recipient,
  { networkMessageId, content }: OutgoingMessage,
): Promise<void> {
  expect(await person.received(networkMessageId)).toMatchObject({ text: content.text, copies: 1 });
  const again = triesOf(fixture, networkMessageId).slice(1);
  expect(again).toMatchObject([{ isSingle: true, error: null }]);
}

test.each(ACCOUNTS)(
  'a companion that lost its sessions gets one well-formed copy, and reads the text (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    const message = fixture.message(person.number, 'Kode: 1234');
    const recorded = await fixture.online({ readMessage: stored(message) });
    await acquainted(fixture, recorded, person);
    await person.loseSessions();
    expect(await recorded.session.send(message)).toEqual({ kind: 'sent' });
    await isRead(fixture, person, message);
  }),
);

test.each(ACCOUNTS)(
  'a companion that lost its sessions gets a copy from a later session, too (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    const message = fixture.message(person.number, 'Kode: 1234');
    const first = await fixture.online();
    await acquainted(fixture, first, person);
    await person.disconnect();
    expect(await first.session.send(message)).toEqual({ kind: 'sent' });
    await first.session.close();
    await fixture.connected({ readMessage: stored(message) });
    await person.loseSessions();
    await person.connect();
    await isRead(fixture, person, message);
  }),
);

test.each(ACCOUNTS)(
  'a companion gets a copy from a later session also if its number is dialled differently (%s)',
  onAccount(async (fixture) => {
    const person = await createRecipient(fixture.relay, CANONICAL);
    try {
      person.phone.alsoWritten(DIALLED);
      const message = fixture.message(DIALLED, 'Kode: 1234');
      const first = await fixture.online();
      await first.session.send(fixture.message(DIALLED));
      await person.send(fixture.phone.number, 'Oi');
      await acknowledgedAll(fixture);
      await person.disconnect();
      expect(await first.session.send(message)).toEqual({ kind: 'sent' });
      await first.session.close();
      await fixture.connected({ readMessage: stored(message) });
      await person.loseSessions();
      await person.connect();
      await isRead(fixture, person, message);
    } finally {
      await person.close();
    }
  }),
);

test.each(ACCOUNTS)(
  'the copy has the token that the recipient asks for (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    person.phone.requireToken(true);
    const message = fixture.message(person.number, 'Kode: 1234');
    const { session } = await fixture.online({ readMessage: stored(message) });
    person.phone.vouchFor(SENDER);
    await acknowledgedAll(fixture);
    const first = fixture.message(person.number);
    expect(await session.send(first)).toEqual({ kind: 'sent' });
    await person.received(first.networkMessageId);
    await person.loseSessions();
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    await person.received(message.networkMessageId);
    for (const { token, error } of triesOf(fixture, message.networkMessageId)) {
      expect({ token, error }).toEqual({ token: 'tctoken', error: null });
    }
  }),
);

test.each(ACCOUNTS)(
  'a retry is acknowledged after its answer, and answered once (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    const message = fixture.message(person.number, 'Kode: 1234');
    const recorded = await fixture.online({ readMessage: stored(message) });
    await acquainted(fixture, recorded, person);
    await person.loseSessions();
    await recorded.session.send(message);
    await person.received(message.networkMessageId);
    await acknowledgedAll(fixture);
    expect(triesOf(fixture, message.networkMessageId)).toHaveLength(2);
  }),
);

test.each(ACCOUNTS)(
  'a device that lost its own sessions asks for a message again, and reports it (%s)',
  onAccount(async (fixture) => {
    const person = await fixture.person();
    const first = await fixture.online();
    await acquainted(fixture, first, person);
    const answer = fixture.message(person.number);
    await first.session.send(answer);
    await person.received(answer.networkMessageId);
    await first.session.close();
    const { inbound } = await fixture.connected({ credentials: withoutSessions(fixture.credentials) });
    const id = await person.send(fixture.phone.number, 'asked for again');
    await waitUntil('it is reported', () => inbound.some(({ kind }) => kind === 'message'));
    const reports = inbound.filter(({ networkMessageId }) => networkMessageId === id);
    // Baileys asks first without its keys, then with them.
    expect([...new Set(reports.map(({ kind }) => kind))]).toEqual(['undecryptable', 'message']);
    expect(reports.at(-1)).toMatchObject({ person: { phone: person.number }, content: { text: 'asked for again' } });
    expect(fixture.relay.journal.counters({ from: SENDER }).retryReceipts).toBeGreaterThan(0);
    await acknowledgedAll(fixture);
    expect(answersTo(fixture, id).filter((error) => error !== null)).toEqual([]);
  }),
);

/** As after an operator's command: the sessions of before are gone, new ones stay. */
function withoutSessions(store: CredentialStore): CredentialStore {
  const renewed = new Set<string>();
  return {
    read: (kind, ids) => store.read(kind, kind === 'session' ? ids.filter((id) => renewed.has(id)) : ids),
    write: (changes) => {
      for (const { kind, id } of changes) if (kind === 'session') renewed.add(id);
      return store.write(changes);
    },
  };
}
