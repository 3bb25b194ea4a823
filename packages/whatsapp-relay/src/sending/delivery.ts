/**
 * Splits a message into its copies and delivers each to its device. The receiving account sees the sender's address in
 * its own kind.
 */
import { addressSeenBy, otherAddress } from '../devices/address.js';
import type { Device } from '../devices/account.js';
import { handleReceipt } from './receipt.js';
import { child, children, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';
import { tellRead } from '../writing/letters.js';

export type Copy = { readonly device: Device; readonly sealed: Stanza };

/** One copy for each `<to>` of `<participants>`. A message for one device has its `<enc>` directly. */
export function copiesOf(board: Switchboard, message: Stanza): readonly Copy[] {
  const participants = child(message, 'participants');
  const sealed = participants
    ? children(participants, 'to').map((to) => ({ jid: to.attrs['jid'], sealed: child(to, 'enc') }))
    : [{ jid: message.attrs['to'], sealed: child(message, 'enc') }];
  return sealed.flatMap(({ jid, sealed: copy }) => {
    const device = board.accounts.findDevice(jid);
    return device && copy ? [{ device, sealed: copy }] : [];
  });
}

export function deliverCopy(board: Switchboard, from: Device, message: Stanza, { device, sealed }: Copy): void {
  if (device.id === 0) return reportDelivery(board, from, message, device);
  const identity = child(message, 'device-identity');
  const introduction = sealed.attrs['type'] === 'pkmsg' && identity ? [identity] : [];
  device.deliver(stanza('message', attributesFor(board, from, message, device), [sealed, ...introduction]));
}

function attributesFor(
  board: Switchboard,
  { account, id }: Device,
  message: Stanza,
  { account: viewer }: Device,
): Record<string, string> {
  const { id: messageId = '', type = 'text', to = '', category } = message.attrs;
  const common = {
    id: messageId,
    type,
    t: timestamp(),
    notify: account.pushName,
    from: addressSeenBy(viewer, account, id),
    ...(category === undefined ? {} : { category }),
  };
  if (viewer !== account) return { ...common, ...otherAddress(viewer, account, 'sender') };
  // A copy for the sender's own devices names the recipient.
  const recipient = board.accounts.find(to);
  return { ...common, recipient: to, ...(recipient ? otherAddress(viewer, recipient, 'peer_recipient') : {}) };
}

/**
 * A phone has no client here, so its copy stays sealed. If the account reports deliveries, the relay sends the receipt
 * for it.
 */
function reportDelivery(board: Switchboard, from: Device, { attrs }: Stanza, phone: Device): void {
  const { account } = phone;
  // A companion writes only one thing to its own phone: it asks. The phone cannot read it, so it tells all it has.
  if (account === from.account && attrs['category'] === 'peer') tellRead(from).catch(() => undefined);
  if (!account.reportsDeliveries || account === from.account) return;
  const to = addressSeenBy(account, from.account, from.id);
  handleReceipt(board, phone, stanza('receipt', { to, id: attrs['id'] ?? '' }));
}
