/** Remembers whom a device knows, for networks that limit messages to anybody else; for the others it does nothing. */
import { type Contact, type Database, type GroupCommit, type Holder, readSentText } from '@kurir/database';
import type { Logger } from '@kurir/logging';

export type ContactNotes = {
  /** The network took a message to this recipient. Never rejects: a contact that is missed is written to again some day. */
  wrote(recipient: string): Promise<void>;
  /** The same, where only the message's id is known. Never rejects. */
  took(networkMessageId: string): Promise<void>;
  /** Rejects when it could not be stored: then the network says it again. */
  heard(from: string): Promise<void>;
};

export const noContactNotes: ContactNotes = {
  wrote: async () => undefined,
  took: async () => undefined,
  heard: async () => undefined,
};

export function createContactNotes(
  database: Database,
  writer: GroupCommit<Contact, void>,
  { deviceId }: Holder,
  log: Logger,
): ContactNotes {
  async function quietly(work: Promise<void>): Promise<void> {
    await work.catch((err: unknown) => log.warn({ err }, 'contact not noted'));
  }
  async function find(networkMessageId: string): Promise<void> {
    const sent = await readSentText(database, deviceId, networkMessageId);
    if (sent !== null) await writer.submit({ deviceId, recipient: sent.recipient, direction: 'wrote' });
  }
  return {
    wrote: (recipient) => quietly(writer.submit({ deviceId, recipient, direction: 'wrote' })),
    took: (networkMessageId) => quietly(find(networkMessageId)),
    heard: (from) => writer.submit({ deviceId, recipient: from, direction: 'heard' }),
  };
}
