/** Tells who needs to know that an account has one companion more or less: its own devices and its contacts'. */
import { randomBytes } from 'node:crypto';
import { accountJid } from './account.js';
import type { Device } from './device.js';
import { writeJid } from './jid.js';
import { stanza, timestamp } from './stanza.js';
import type { Switchboard } from './switchboard.js';

export function announceDevice(board: Switchboard, changed: Device, change: 'add' | 'remove'): void {
  const { account, id } = changed;
  const device = { jid: writeJid(account.number, 's.whatsapp.net', id), 'key-index': String(id) };
  const attrs = {
    from: accountJid(account, 's.whatsapp.net'),
    lid: accountJid(account, 'lid'),
    type: 'devices',
    id: randomBytes(6).toString('hex'),
    t: timestamp(),
  };
  const notification = stanza('notification', attrs, [stanza(change, {}, [stanza('device', device)])]);
  const contacts = [...account.contacts].map((number) => board.accounts.byPhoneNumber(number));
  for (const knowing of [account, ...contacts]) {
    for (const told of knowing?.devices.values() ?? []) if (told !== changed) told.deliver(notification);
  }
}
