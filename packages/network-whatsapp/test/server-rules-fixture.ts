/** The parts that the tests of `server-rules/` share: both kinds of account, and queries about the relay's journal. */
import { waitUntil } from '@kurir/network/conformance';
import { createRecipient, type JournalEntry, type Recipient } from '@kurir/whatsapp-relay';
import { type Recorded, type RelayFixture, SENDER, withRelayFixture } from './relay-fixture.js';

type MessageEntry = Extract<JournalEntry, { kind: 'message' }>;

/** For `test.each`: an account whose chats are addressed by LID, and one that is not migrated. */
export const ACCOUNTS = ['migrated', 'not migrated'] as const;

/** Runs a test's body with its own fixture, whose account is of this kind. */
export function onAccount(
  run: (fixture: RelayFixture) => Promise<void>,
): (account: (typeof ACCOUNTS)[number]) => Promise<void> {
  return (account) =>
    withRelayFixture(async (fixture) => {
      fixture.phone.setMigrated(account === 'migrated');
      await run(fixture);
    })();
}

/** Every try of a message that the relay saw, with the resends. */
export function triesOf(fixture: RelayFixture, networkMessageId: string): readonly MessageEntry[] {
  return fixture.relay.journal.of('message', { from: SENDER }).filter(({ id }) => id === networkMessageId);
}

export function addressesOf(fixture: RelayFixture, networkMessageId: string): readonly string[] {
  return triesOf(fixture, networkMessageId).map(({ address }) => address);
}

/** The address that the server accepts from the fixture's account. */
export function addressOf(fixture: RelayFixture, person: Recipient): string {
  return fixture.phone.isMigrated ? person.phone.lid : person.phone.jid;
}

/** The answers of the device to a stanza of the server: null for a plain acknowledgement, else the error. */
export function answersTo(fixture: RelayFixture, id: string): readonly (string | null)[] {
  return fixture.relay.journal
    .of('acknowledgement', { from: SENDER })
    .flatMap((entry) => (entry.id === id ? [entry.error] : []));
}

/** Waits until the device has acknowledged all that the server had for it. */
export function acknowledgedAll(fixture: RelayFixture): Promise<void> {
  return waitUntil('the device has acknowledged everything', () => fixture.phone.devices()[0]?.backlog === 0);
}

/** Exchanges two messages, so that both sides have a Signal session without an introduction. */
export async function acquainted(
  fixture: RelayFixture,
  { session, inbound }: Recorded,
  person: Recipient,
): Promise<void> {
  const first = fixture.message(person.number);
  await session.send(first);
  await person.received(first.networkMessageId);
  const heard = inbound.length;
  await person.send(fixture.phone.number, 'Halo juga');
  await waitUntil('the answer came', () => inbound.length > heard);
}

/** Another companion of the person's phone, which also reads. It is closed after `use`. */
export function withSecondReader(
  fixture: RelayFixture,
  person: Recipient,
  use: (second: Recipient) => Promise<void>,
): Promise<void> {
  return withReader(fixture, person.number, use);
}

/** Another companion of our own account. */
export function withOwnCompanion(fixture: RelayFixture, use: (own: Recipient) => Promise<void>): Promise<void> {
  return withReader(fixture, SENDER, use);
}

async function withReader(
  fixture: RelayFixture,
  number: string,
  use: (reader: Recipient) => Promise<void>,
): Promise<void> {
  const reader = await createRecipient(fixture.relay, number);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}
