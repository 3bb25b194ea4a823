/**
 * The address that a direct message may have. An account whose chats use LIDs reaches others by LID only: the server
 * refuses the phone number with 463 (Baileys #2683, OpenWA #717). An account that is not migrated may use no LID: the
 * server refuses it with 400 (whatsapp-rust #941). All copies have the same kind of address as the message, even those
 * for own devices (whatsapp-rust #636).
 */
import type { Account } from '../devices/account.js';
import { serverOf } from '../devices/address.js';
import { parseJid } from '../wire/jid.js';
import { child, children, type Stanza } from '../wire/stanza.js';

export function addressError(from: Account, recipient: Account | undefined, message: Stanza): 400 | 463 | null {
  const { server } = parseJid(message.attrs['to']) ?? {};
  const copies = children(child(message, 'participants'), 'to').map(({ attrs }) => parseJid(attrs['jid'])?.server);
  if (copies.some((copy) => copy !== server)) return 400;
  if (recipient === from || server === serverOf(from)) return null;
  return from.lidMigrated ? 463 : 400;
}
