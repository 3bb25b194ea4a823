/** Notes whom a device knows, for networks that limit messages to new contacts. For other networks it does nothing. */
import { type Contact, type Database, type GroupCommit, type LeaseToken, readSentRecipient } from '@kurir/database';

export type ContactNotes = {
  /** The network took a message to this recipient, or may have. Rejects if it could not be stored. */
  noteRecipient(recipient: string, networkMessageId: string): Promise<void>;
  /** As `noteRecipient`, by the id of the message. Ignores messages that Kurir did not send. */
  noteRecipientOf(networkMessageId: string): Promise<void>;
};

const mostRemembered = 1_000;
/** A contact that has traffic is noted once a day, so that it does not age out. */
const rememberedMs = 86_400_000;

export const noContactNotes: ContactNotes = {
  noteRecipient: async () => undefined,
  noteRecipientOf: async () => undefined,
};

export function createContactNotes(
  database: Database,
  writer: GroupCommit<Contact, void>,
  { deviceId }: Pick<LeaseToken, 'deviceId'>,
): ContactNotes {
  const noteRecipient = (recipient: string) => writer.submit({ deviceId, recipient, direction: 'wrote' });
  return {
    noteRecipient,
    async noteRecipientOf(networkMessageId) {
      const recipient = await readSentRecipient(database, deviceId, networkMessageId);
      if (recipient !== null) await noteRecipient(recipient);
    },
  };
}

/**
 * Notes each recipient once a day for one connection, which saves a commit for each message and a query for each receipt. The
 * next connection notes them again, because another number may have been linked before it. Receipts of one message that
 * arrive while its contact is being noted stay in order.
 */
export function rememberRecipients(notes: ContactNotes): ContactNotes {
  if (notes === noContactNotes) return notes;
  const recipients = createRecent<number>();
  const messages = createRecent<Promise<void>>();
  return {
    ...notes,
    async noteRecipient(recipient, networkMessageId) {
      const notedAt = recipients.get(recipient);
      if (notedAt === undefined || performance.now() - notedAt > rememberedMs) {
        await notes.noteRecipient(recipient, networkMessageId);
        recipients.add(recipient, performance.now());
      }
      if (!messages.has(networkMessageId)) messages.add(networkMessageId, Promise.resolve());
    },
    noteRecipientOf(networkMessageId) {
      const known = messages.get(networkMessageId);
      if (known !== undefined) return known;
      const noted = notes.noteRecipientOf(networkMessageId);
      messages.add(networkMessageId, noted);
      noted.catch(() => messages.forget(networkMessageId));
      return noted;
    },
  };
}

/** A map that forgets its oldest entry when it is full. */
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
