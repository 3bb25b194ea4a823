/**
 * Messages that a companion receives besides direct ones: groups, status posts and channels. There is also a direct
 * message that it cannot open. Group messages and status posts are sealed with sender keys that nobody has. A channel's
 * post is not sealed.
 */
import { randomBytes } from 'node:crypto';
import type { Account } from '../devices/account.js';
import { addressSeenBy, otherAddress } from '../devices/address.js';
import { writeText } from '../wire/protobuf.js';
import { type Stanza, stanza, timestamp } from '../wire/stanza.js';

export type Crowd = 'group' | 'status' | 'newsletter';

const sealedBytes = 64;
const group = '120363000000000001@g.us';
const newsletter = '120363000000000002@newsletter';
const member = { participant: '280000000000001@lid', participant_pn: '4915559990001@s.whatsapp.net' };

/** Sends a message of this kind to the account's companions. Returns its id. */
export function injectCrowd(account: Account, crowd: Crowd): string {
  const id = newId();
  const common = { id, t: timestamp(), notify: 'Somebody' };
  deliverToAll(account, crowdMessage(crowd, common));
  return id;
}

/** Sends a direct message of `from` that no key of the account's companions opens. Returns its id. */
export function injectUndecryptable(account: Account, from: Account): string {
  const id = newId();
  const attrs = {
    id,
    t: timestamp(),
    type: 'text',
    notify: from.pushName,
    from: addressSeenBy(account, from),
    ...otherAddress(account, from, 'sender'),
  };
  deliverToAll(account, stanza('message', attrs, [sealed('msg')]));
  return id;
}

function crowdMessage(crowd: Crowd, common: Record<string, string>): Stanza {
  switch (crowd) {
    case 'group':
      return stanza('message', { ...common, from: group, type: 'text', addressing_mode: 'lid', ...member }, [
        sealed('skmsg'),
      ]);
    case 'status':
      return stanza('message', { ...common, from: 'status@broadcast', type: 'media', ...member }, [sealed('skmsg')]);
    case 'newsletter':
      return stanza('message', { ...common, from: newsletter, type: 'text', server_id: '101' }, [
        stanza('plaintext', {}, writeText('A post of a channel')),
      ]);
  }
}

function sealed(type: 'msg' | 'skmsg'): Stanza {
  return stanza('enc', { v: '2', type }, randomBytes(sealedBytes));
}

function deliverToAll(account: Account, message: Stanza): void {
  for (const device of account.devices.values()) device.deliver(message);
}

function newId(): string {
  return randomBytes(10).toString('hex').toUpperCase();
}
