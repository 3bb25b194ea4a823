/** Remembers whom a device knows, for networks that limit messages to anybody else; for the others it does nothing. */
import { type Contact, type Database, type GroupCommit, type Holder, readSentRecipient } from '@kurir/database';

export type ContactNotes = {
  /** The network took a message to this recipient, or may have. Rejects when it could not be stored. */
  wrote(recipient: string, networkMessageId: string): Promise<void>;
  /** The same, where only the message's id is known, which need not be one of ours. */
  took(networkMessageId: string): Promise<void>;
  /** Rejects when it could not be stored: then the network says it again. */
  heard(from: string): Promise<void>;
};

const mostRemembered = 1_000;

export const noContactNotes: ContactNotes = {
  wrote: async () => undefined,
  took: async () => undefined,
  heard: async () => undefined,
};

export function createContactNotes(
  database: Database,
  writer: GroupCommit<Contact, void>,
  { deviceId }: Holder,
): ContactNotes {
  const wrote = (recipient: string) => writer.submit({ deviceId, recipient, direction: 'wrote' });
  return {
    wrote,
    async took(networkMessageId) {
      const recipient = await readSentRecipient(database, deviceId, networkMessageId);
      if (recipient !== null) await wrote(recipient);
    },
    heard: (from) => writer.submit({ deviceId, recipient: from, direction: 'heard' }),
  };
}

/**
 * The same, for one connection: whom it noted once it does not note again, which spares each message a commit and each
 * receipt a look-up. The next connection notes anew, because another number may have been linked before it. Receipts of one
 * message that come while its contact is being noted go on in their order.
 */
export function rememberWritten(notes: ContactNotes): ContactNotes {
  if (notes === noContactNotes) return notes;
  const recipients = createRecent<true>();
  const messages = createRecent<Promise<void>>();
  return {
    ...notes,
    async wrote(recipient, networkMessageId) {
      if (!recipients.has(recipient)) await notes.wrote(recipient, networkMessageId);
      recipients.add(recipient, true);
      if (!messages.has(networkMessageId)) messages.add(networkMessageId, Promise.resolve());
    },
    took(networkMessageId) {
      const known = messages.get(networkMessageId);
      if (known !== undefined) return known;
      const noted = notes.took(networkMessageId);
      messages.add(networkMessageId, noted);
      noted.catch(() => messages.forget(networkMessageId));
      return noted;
    },
  };
}

/** Forgets the oldest. */
function createRecent<T>() {
  const entries = new Map<string, T>();
  return {
    has: (key: string) => entries.has(key),
    get: (key: string) => entries.get(key),
    add(key: string, value: T) {
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > mostRemembered && oldest !== undefined) entries.delete(oldest);
    },
    forget: (key: string) => void entries.delete(key),
  };
}
