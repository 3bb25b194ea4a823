/** A companion of the recipient that lost its keys asks again, and must be able to read the answer. */
import type { ConnectOptions, CredentialStore, OutgoingMessage } from '@kurir/network';
import { waitUntil } from '@kurir/network/conformance';
import { createRecipient, type Recipient } from '@kurir/whatsapp-relay';
import { expect, test } from 'vitest';
import { acquainted, answersTo, settled, ACCOUNTS, onAccount, triesOf } from '../testing/server-rules.js';
import { SENDER, type TestBed } from '../testing/test-bed.js';

type ReadMessage = NonNullable<ConnectOptions['readMessage']>;

/** As the server writes a number of São Paulo, and as people there dial it. */
const CANONICAL = '551187654321';
const DIALLED = '5511987654321';

/** What the worker has stored. */
function stored(...messages: readonly OutgoingMessage[]): ReadMessage {
  return async (id) => messages.find(({ networkMessageId }) => networkMessageId === id) ?? null;
}

/** The answer to the retry was one copy that the server took, and the person reads the text once. */
async function isRead(bed: TestBed, person: Recipient, { networkMessageId, content }: OutgoingMessage): Promise<void> {
  expect(await person.received(networkMessageId)).toMatchObject({ text: content.text, copies: 1 });
  const again = triesOf(bed, networkMessageId).slice(1);
  expect(again).toMatchObject([{ isSingle: true, error: null }]);
}

test.each(ACCOUNTS)(
  'a companion that lost its sessions gets one well-formed copy, and reads the text (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    const message = bed.message(person.number, 'Kode: 1234');
    const recorded = await bed.online({ readMessage: stored(message) });
    await acquainted(bed, recorded, person);
    await person.loseSessions();
    expect(await recorded.session.send(message)).toEqual({ kind: 'sent' });
    await isRead(bed, person, message);
  }),
);

test.each(ACCOUNTS)(
  'it gets one also from a later session (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    const message = bed.message(person.number, 'Kode: 1234');
    const first = await bed.online();
    await acquainted(bed, first, person);
    await person.disconnect();
    expect(await first.session.send(message)).toEqual({ kind: 'sent' });
    await first.session.close();
    await bed.connected({ readMessage: stored(message) });
    await person.loseSessions();
    await person.connect();
    await isRead(bed, person, message);
  }),
);

test.each(ACCOUNTS)(
  'it gets one from a later session also when its number is dialled otherwise (%s)',
  onAccount(async (bed) => {
    const person = await createRecipient(bed.relay, CANONICAL);
    try {
      person.phone.alsoWritten(DIALLED);
      const message = bed.message(DIALLED, 'Kode: 1234');
      const first = await bed.online();
      await first.session.send(bed.message(DIALLED));
      await person.send(bed.phone.number, 'Oi');
      await settled(bed);
      await person.disconnect();
      expect(await first.session.send(message)).toEqual({ kind: 'sent' });
      await first.session.close();
      await bed.connected({ readMessage: stored(message) });
      await person.loseSessions();
      await person.connect();
      await isRead(bed, person, message);
    } finally {
      await person.close();
    }
  }),
);

test.each(ACCOUNTS)(
  'the copy has the token that the recipient asks for (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    person.phone.requireToken(true);
    const message = bed.message(person.number, 'Kode: 1234');
    const { session } = await bed.online({ readMessage: stored(message) });
    person.phone.vouchFor(SENDER);
    await settled(bed);
    const first = bed.message(person.number);
    expect(await session.send(first)).toEqual({ kind: 'sent' });
    await person.received(first.networkMessageId);
    await person.loseSessions();
    expect(await session.send(message)).toEqual({ kind: 'sent' });
    await person.received(message.networkMessageId);
    for (const { token, error } of triesOf(bed, message.networkMessageId)) {
      expect({ token, error }).toEqual({ token: 'tctoken', error: null });
    }
  }),
);

test.each(ACCOUNTS)(
  'a retry is acknowledged when it was answered, and not answered twice (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    const message = bed.message(person.number, 'Kode: 1234');
    const recorded = await bed.online({ readMessage: stored(message) });
    await acquainted(bed, recorded, person);
    await person.loseSessions();
    await recorded.session.send(message);
    await person.received(message.networkMessageId);
    await settled(bed);
    expect(triesOf(bed, message.networkMessageId)).toHaveLength(2);
  }),
);

test.each(ACCOUNTS)(
  'a device that lost its own sessions asks for a message again, and reports what it then reads (%s)',
  onAccount(async (bed) => {
    const person = await bed.person();
    const first = await bed.online();
    await acquainted(bed, first, person);
    const answer = bed.message(person.number);
    await first.session.send(answer);
    await person.received(answer.networkMessageId);
    await first.session.close();
    const { inbound } = await bed.connected({ credentials: withoutSessions(bed.credentials) });
    const id = await person.send(bed.phone.number, 'asked for again');
    await waitUntil('it is reported', () => inbound.some(({ networkMessageId }) => networkMessageId === id));
    expect(inbound.at(-1)).toMatchObject({ from: person.number, text: 'asked for again' });
    expect(bed.relay.journal.counters({ from: SENDER }).retryReceipts).toBeGreaterThan(0);
    await settled(bed);
    expect(answersTo(bed, id).filter((error) => error !== null)).toEqual([]);
  }),
);

/** As after an operator's command: the sessions that were there are gone, new ones stay. */
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
