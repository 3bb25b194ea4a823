/**
 * Trusted-contact tokens: whoever writes to someone vouches for the way back. The server makes a token and gives it to
 * the other side, who attaches it to messages. Baileys 7.0.0-rc14 issues one after its first message to a contact.
 */
import { randomBytes } from 'node:crypto';
import { accountJid } from './account.js';
import type { Device } from './device.js';
import { child, children, type Stanza, stanza, timestamp } from './stanza.js';
import type { Switchboard } from './switchboard.js';

const tokenBytes = 16;

/** Hands out the tokens that were asked for; answers the numbers that got one. */
export function issuePrivacyTokens(board: Switchboard, from: Device, request: Stanza): readonly string[] {
  return children(child(request, 'tokens'), 'token').flatMap(({ attrs }) => {
    const account = board.accounts.find(attrs['jid']);
    if (!account) return [];
    for (const device of account.devices.values()) device.deliver(notificationOf(from, device, attrs['t']));
    return [account.number];
  });
}

function notificationOf(from: Device, to: Device, t = timestamp()): Stanza {
  const token = stanza('token', { jid: to.jid, t, type: 'trusted_contact' }, randomBytes(tokenBytes));
  const attrs = {
    from: accountJid(from.account),
    sender_lid: accountJid(from.account, 'lid'),
    type: 'privacy_token',
    id: randomBytes(6).toString('hex'),
    t: timestamp(),
  };
  return stanza('notification', attrs, [stanza('tokens', {}, [token])]);
}
