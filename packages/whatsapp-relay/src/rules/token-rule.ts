/**
 * Tokens that admit a stranger's message to people who require one. A recipient issues a `tctoken` to the sender; the
 * server accepts it for `tokenLifeSeconds` (whatsapp-rust #473). A `cstoken` vouches for a first message. It is an HMAC
 * of the recipient's LID under a salt that only the sender's account has (whatsmeow `cstoken.go`). A repeated message
 * needs its token again (zapo #167).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Account, accountJid } from '../devices/account.js';
import { bytes, child, type Stanza } from '../wire/stanza.js';

const tokenLifeSeconds = 26 * 7 * 86_400;

/** Whether the recipient requires a token from strangers and the message has no valid one. */
export function lacksToken(from: Account, recipient: Account, message: Stanza): boolean {
  if (!recipient.requiresToken || recipient.wroteTo.has(from.number)) return false;
  const trusted = child(message, 'tctoken');
  if (trusted && wasIssued(recipient, from, bytes(trusted))) return false;
  const first = child(message, 'cstoken');
  return !first || !isEqual(bytes(first), firstContactToken(from, recipient));
}

export function firstContactToken(from: Account, recipient: Account): Buffer {
  return createHmac('sha256', from.nctSalt).update(accountJid(recipient, 'lid')).digest();
}

function wasIssued(recipient: Account, from: Account, token: Uint8Array, nowSeconds = Date.now() / 1000): boolean {
  return recipient.issuedTokens.some(
    ({ to, value, issuedSeconds }) =>
      to === from.number && nowSeconds - issuedSeconds <= tokenLifeSeconds && isEqual(token, value),
  );
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
