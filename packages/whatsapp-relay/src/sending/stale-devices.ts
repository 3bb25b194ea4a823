/**
 * Checks whether a message was encrypted for all present devices. If not, the acknowledgement carries the hash of the
 * present list, and the sender asks for the devices again (whatsmeow `send.go`, `phash`; zapo `WaMessageClient.ts`).
 */
import { type Account, accountJid, type Device } from '../devices/account.js';
import type { Copy } from './delivery.js';
import { parseJid } from '../wire/jid.js';
import { participantHash } from '../wire/participant-hash.js';
import { child, type Stanza } from '../wire/stanza.js';

/** The hash of the recipient's and the sender's devices, if the copies do not match them; else null. */
export function staleHash(
  from: Device,
  recipient: Account | undefined,
  message: Stanza,
  copies: readonly Copy[],
): string | null {
  if (!recipient || !child(message, 'participants')) return null;
  const reached = new Set([from, ...copies.map(({ device }) => device)]);
  const present = [...new Set([recipient, from.account])].flatMap(({ devices }) => [...devices.values()]);
  if (present.length === reached.size && present.every((device) => reached.has(device))) return null;
  const server = parseJid(message.attrs['to'])?.server === 'lid' ? 'lid' : 's.whatsapp.net';
  return participantHash(present.map(({ account, id }) => accountJid(account, server, id)));
}
