/** What the cases of `server-rules/` share: both kinds of account, and what the relay saw of one message. */
import { waitUntil } from '@kurir/network/conformance';
import { createRecipient, type JournalEntry, type Recipient } from '@kurir/whatsapp-relay';
import { onTestBed, type Recorded, SENDER, type TestBed } from './test-bed.js';

type MessageEntry = Extract<JournalEntry, { kind: 'message' }>;

/** For `test.each`: an account whose chats are LID-addressed, and one that is not migrated. */
export const ACCOUNTS = ['migrated', 'not migrated'] as const;

/** A test's body on a bed of its own, whose account is of this kind. */
export function onAccount(run: (bed: TestBed) => Promise<void>): (account: (typeof ACCOUNTS)[number]) => Promise<void> {
  return (account) =>
    onTestBed(async (bed) => {
      bed.phone.setMigrated(account === 'migrated');
      await run(bed);
    })();
}

/** Every try of a message that the relay saw, resends included. */
export function triesOf(bed: TestBed, networkMessageId: string): readonly MessageEntry[] {
  return bed.relay.journal.of('message', { from: SENDER }).filter(({ id }) => id === networkMessageId);
}

export function addressesOf(bed: TestBed, networkMessageId: string): readonly string[] {
  return triesOf(bed, networkMessageId).map(({ address }) => address);
}

/** The address that the server takes from the bed's account. */
export function addressOf(bed: TestBed, person: Recipient): string {
  return bed.phone.isMigrated ? person.phone.lid : person.phone.jid;
}

/** What the device answered to this stanza of the server's: `null` for a plain acknowledgement, else the error. */
export function answersTo(bed: TestBed, id: string): readonly (string | null)[] {
  return bed.relay.journal
    .of('acknowledgement', { from: SENDER })
    .flatMap((entry) => (entry.id === id ? [entry.error] : []));
}

/** The device has acknowledged everything that the server had for it. */
export function settled(bed: TestBed): Promise<void> {
  return waitUntil('the device has acknowledged everything', () => bed.phone.devices()[0]?.backlog === 0);
}

/** The person has written to us, so both sides have a session that needs no introduction. */
export async function acquainted(bed: TestBed, { session, inbound }: Recorded, person: Recipient): Promise<void> {
  const first = bed.message(person.number);
  await session.send(first);
  await person.received(first.networkMessageId);
  const heard = inbound.length;
  await person.send(bed.phone.number, 'Halo juga');
  await waitUntil('the answer came', () => inbound.length > heard);
}

/** Another companion of the person's phone, which reads too; closed after `use`. */
export function withSecondReader(
  bed: TestBed,
  person: Recipient,
  use: (second: Recipient) => Promise<void>,
): Promise<void> {
  return withReader(bed, person.number, use);
}

/** Another companion of our own account. */
export function withOwnCompanion(bed: TestBed, use: (own: Recipient) => Promise<void>): Promise<void> {
  return withReader(bed, SENDER, use);
}

async function withReader(bed: TestBed, number: string, use: (reader: Recipient) => Promise<void>): Promise<void> {
  const reader = await createRecipient(bed.relay, number);
  try {
    await use(reader);
  } finally {
    await reader.close();
  }
}
