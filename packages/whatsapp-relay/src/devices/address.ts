/**
 * A person has two addresses: the phone number and the LID. The server shows an account only one kind. The kind
 * depends on whether that account was migrated to LIDs (whatsmeow `send.go`, zapo `WaMessageDispatchCoordinator.ts`).
 */
import { type Account, accountJid } from './account.js';
import type { JidServer } from '../wire/jid.js';

/** The kind of address that the server shows to this account, and that the account must use. */
export function serverOf(account: Account): JidServer {
  return account.lidMigrated ? 'lid' : 's.whatsapp.net';
}

/** The address of `subject`, or of one of its devices, that the server shows to `viewer`. */
export function addressSeenBy(viewer: Account, subject: Account, device = 0): string {
  return accountJid(subject, subject.hidesNumber ? 'lid' : serverOf(viewer), device);
}

/** The other address of `subject`, as attributes of a stanza that already has the result of `addressSeenBy`. */
export function otherAddress(
  viewer: Account,
  subject: Account,
  prefix: 'sender' | 'participant' | 'peer_recipient',
): Attributes {
  if (subject.hidesNumber) return {};
  return viewer.lidMigrated
    ? { [`${prefix}_pn`]: accountJid(subject, 's.whatsapp.net') }
    : { [`${prefix}_lid`]: accountJid(subject, 'lid') };
}

type Attributes = Readonly<Record<string, string>>;
