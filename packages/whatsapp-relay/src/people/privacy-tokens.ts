/**
 * Trusted-contact tokens: whoever writes to someone vouches for the way back. The server makes a token and gives it to
 * the other side, who attaches it to messages. Baileys 7.0.0-rc14 issues one after its first message to a contact.
 */
import { randomBytes } from 'node:crypto';
import { type Account, accountJid, type Device } from '../devices/account.js';
import { addressSeenBy, otherAddress } from '../devices/address.js';
import { child, children, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

const tokenBytes = 16;
/** Enough for every contact of a test; the oldest go first. */
const mostTokens = 1_000;

/** Hands out the tokens that were asked for; answers the numbers that got one. */
export function issuePrivacyTokens(board: Switchboard, from: Device, request: Stanza): readonly string[] {
  return children(child(request, 'tokens'), 'token').flatMap(({ attrs }) => {
    const to = board.accounts.find(attrs['jid']);
    if (!to) return [];
    vouch(from.account, to, Number(attrs['t'] ?? timestamp()));
    return [to.number];
  });
}

/** The account trusts the other one: its devices get a token, the same for all. */
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
