/**
 * Trusted-contact tokens: a person who writes to somebody allows that person to write back. The server makes a token
 * and sends it to the other side, which attaches it to its messages. Baileys 7.0.0-rc14 issues a token after its first
 * message to a contact.
 */
import { randomBytes } from 'node:crypto';
import { type Account, accountJid, type Device } from '../devices/account.js';
import { addressSeenBy, otherAddress } from '../devices/address.js';
import { child, children, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

const tokenBytes = 16;
/** Enough for every contact of a test. Beyond it, the oldest tokens are dropped. */
const mostTokens = 1_000;

/** Issues the tokens that the request asks for. Returns the numbers that got one. */
export function issuePrivacyTokens(board: Switchboard, from: Device, request: Stanza): readonly string[] {
  return children(child(request, 'tokens'), 'token').flatMap(({ attrs }) => {
    const to = board.accounts.find(attrs['jid']);
    if (!to) return [];
    vouch(from.account, to, Number(attrs['t'] ?? timestamp()));
    return [to.number];
  });
}

/** Issues a token of `account` to all devices of `to`, the same for each. */
export function vouch(account: Account, to: Account, issuedSeconds: number): void {
  const value = randomBytes(tokenBytes);
  account.issuedTokens.push({ to: to.number, value, issuedSeconds });
  if (account.issuedTokens.length > mostTokens) account.issuedTokens.shift();
  for (const device of to.devices.values()) device.deliver(notificationOf(account, device, value, issuedSeconds));
}

function notificationOf(from: Account, to: Device, value: Uint8Array, issuedSeconds: number): Stanza {
  const jid = addressSeenBy(to.account, to.account, to.id);
  const token = stanza('token', { jid, t: String(issuedSeconds), type: 'trusted_contact' }, value);
  const attrs = {
    from: addressSeenBy(to.account, from),
    ...otherAddress(to.account, from, 'sender'),
    sender_lid: accountJid(from, 'lid'),
    type: 'privacy_token',
    id: randomBytes(6).toString('hex'),
    t: timestamp(),
  };
  return stanza('notification', attrs, [stanza('tokens', {}, [token])]);
}
