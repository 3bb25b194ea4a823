/**
 * A person has two addresses, one of the phone number and a LID. Which of them an account is told of others depends on
 * the account: whether its chats were migrated to LIDs (whatsmeow `send.go`, zapo `WaMessageDispatchCoordinator.ts`).
 */
import { type Account, accountJid } from './account.js';
import type { JidServer } from '../wire/jid.js';

/** The kind of address that this account is told, and must use. */
export function serverOf(account: Account): JidServer {
  return account.lidMigrated ? 'lid' : 's.whatsapp.net';
}

/** The address by which `viewer` is told of `subject`, or of one of its devices. */
export function addressSeenBy(viewer: Account, subject: Account, device = 0): string {
  return accountJid(subject, subject.hidesNumber ? 'lid' : serverOf(viewer), device);
}

/** The other address of `subject`, as attributes of a stanza that is addressed as `viewer` sees it. */
export function otherAddress(viewer: Account, subject: Account, prefix: 'sender' | 'peer_recipient'): Attributes {
  if (subject.hidesNumber) return {};
  return viewer.lidMigrated
    ? { [`${prefix}_pn`]: accountJid(subject, 's.whatsapp.net') }
    : { [`${prefix}_lid`]: accountJid(subject, 'lid') };
}

type Attributes = Readonly<Record<string, string>>;
