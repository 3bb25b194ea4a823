/** Remembers whom a device knows, for networks that limit messages to anybody else; for the others it does nothing. */
import { type Contact, type Database, type GroupCommit, type Holder, readSentText } from '@kurir/database';
import type { Logger } from '@kurir/logging';

export type ContactNotes = {
  /** Whom the device may write to next depends on whom it wrote to: its messages are claimed one by one. */
  readonly decideWhatIsNext: boolean;
  /**
   * The network took a message to this recipient; true when that is stored. Never rejects: a contact that is missed is
   * written to again some day.
   */
  wrote(recipient: string): Promise<boolean>;
  /** The same, where only the message's id is known. Never rejects. */
  took(networkMessageId: string): Promise<void>;
  /** Rejects when it could not be stored: then the network says it again. */
  heard(from: string): Promise<void>;
};

const mostRemembered = 1_000;

export const noContactNotes: ContactNotes = {
  decideWhatIsNext: false,
  wrote: async () => true,
  took: async () => undefined,
  heard: async () => undefined,
};

export function createContactNotes(
  database: Database,
  writer: GroupCommit<Contact, void>,
  { deviceId }: Holder,
  log: Logger,
): ContactNotes {
  async function quietly(work: Promise<void>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (err) {
      log.warn({ err }, 'contact not noted');
      return false;
    }
  }
  async function find(networkMessageId: string): Promise<void> {
    const sent = await readSentText(database, deviceId, networkMessageId);
    if (sent !== null) await writer.submit({ deviceId, recipient: sent.recipient, direction: 'wrote' });
  }
  return {
    decideWhatIsNext: true,
    wrote: (recipient) => quietly(writer.submit({ deviceId, recipient, direction: 'wrote' })),
    async took(networkMessageId) {
      await quietly(find(networkMessageId));
    },
    heard: (from) => writer.submit({ deviceId, recipient: from, direction: 'heard' }),
  };
}

/**
 * The same, for one connection: whom it noted once it does not note again, which spares each message a commit. The next
 * connection begins anew, since the device may have been linked to another number, whose contacts are others.
 */
export function rememberWritten(notes: ContactNotes): ContactNotes {
  if (notes === noContactNotes) return notes;
  const noted = new Set<string>();
  function remember(recipient: string): void {
    noted.add(recipient);
    const [oldest] = noted;
    if (noted.size > mostRemembered && oldest !== undefined) noted.delete(oldest);
  }
  return {
    ...notes,
    async wrote(recipient) {
      if (noted.has(recipient)) return true;
      const stored = await notes.wrote(recipient);
      if (stored) remember(recipient);
      return stored;
    },
  };
}
