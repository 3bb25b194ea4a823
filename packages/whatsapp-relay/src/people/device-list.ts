/**
 * Tells other devices that an account has one companion more or less: the account's own devices and those of its
 * contacts.
 */
import { randomBytes } from 'node:crypto';
import { type Account, accountJid, type Device } from '../devices/account.js';
import { addressSeenBy, serverOf } from '../devices/address.js';
import { participantHash } from '../wire/participant-hash.js';
import { type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

type Change = 'add' | 'remove';

export function announceDevice(board: Switchboard, changed: Device, change: Change): void {
  const { account } = changed;
  const contacts = [...account.contacts].map((number) => board.accounts.byPhoneNumber(number));
  for (const knowing of [account, ...contacts]) {
    if (!knowing) continue;
    const notification = notificationFor(knowing, changed, change);
    for (const told of knowing.devices.values()) if (told !== changed) told.deliver(notification);
  }
}

/** `device_hash` covers the present list, so that clients see whether theirs is right (whatsmeow `notification.go`). */
function notificationFor(viewer: Account, { account, id }: Device, change: Change): Stanza {
  const device = { jid: addressSeenBy(viewer, account, id), 'key-index': String(id) };
  const attrs = {
    from: addressSeenBy(viewer, account),
    ...(serverOf(viewer) === 'lid' ? {} : { lid: accountJid(account, 'lid') }),
    type: 'devices',
    id: randomBytes(6).toString('hex'),
    t: timestamp(),
  };
  const hash = participantHash([...account.devices.keys()].map((each) => addressSeenBy(viewer, account, each)));
  return stanza('notification', attrs, [stanza(change, { device_hash: hash }, [stanza('device', device)])]);
}
