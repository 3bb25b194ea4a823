/**
 * Receipts go back to the sender of a message: `delivered` (no type), `read`, `played`. `retry` asks one device to
 * encrypt again.
 * A device that sends a receipt has the message, so the relay stops keeping it. A device that sends a `retry` does not
 * have it yet. The relay keeps that message until an acknowledgement (whatsmeow `message.go`, `decryptMessages`).
 */
import type { Account, Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import { parseJid } from '../wire/jid.js';
import { child, children, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';
import { writeAgain } from '../writing/letters.js';

/** `inactive`: delivered to a client that nobody looks at. The sender gets a plain delivery receipt. */
const plainTypes: readonly (string | undefined)[] = [undefined, 'inactive'];
/** A companion sends these for messages of its own phone. Nobody else gets them. */
const phoneTypes: readonly (string | undefined)[] = ['peer_msg', 'hist_sync'];

export function handleReceipt(board: Switchboard, from: Device, receipt: Stanza): void {
  const { to = '', id = '', type } = receipt.attrs;
  const ids = [id, ...children(child(receipt, 'list'), 'item').map((item) => item.attrs['id'] ?? '')];
  // A message of a group has its author as participant.
  const account = board.accounts.find(to) ?? board.accounts.find(receipt.attrs['participant']);
  board.journal.record({
    kind: 'receipt',
    device: from.name,
    ids,
    type: plainTypes.includes(type) ? 'delivered' : (type ?? ''),
    recipient: account?.number ?? null,
  });
  from.connection?.send(stanza('ack', { class: 'receipt', id, from: to, ...(type === undefined ? {} : { type }) }));
  if (type !== 'retry') for (const acknowledged of ids) from.acknowledged('message', acknowledged);
  if (!account || phoneTypes.includes(type)) return;
  // If it fails, the companion asks again.
  if (type === 'retry') writeAgain(account, from, receipt).catch(() => undefined);
  const passedOn = passOn(account, from, receipt);
  for (const device of account.devices.values()) {
    if (device === from) continue;
    if (type === 'retry' && device.id !== parseJid(to)?.device) continue;
    device.deliver(passedOn);
  }
}

function passOn(to: Account, from: Device, receipt: Stanza): Stanza {
  const { id = '', type, recipient } = receipt.attrs;
  const attrs = {
    id,
    // A retry must name the device that could not read the message.
    from: addressSeenBy(to, from.account, type === 'retry' ? from.id : 0),
    t: timestamp(),
    ...(type === undefined || plainTypes.includes(type) ? {} : { type }),
    ...(recipient === undefined ? {} : { recipient }),
  };
  return stanza('receipt', attrs, receipt.content);
}
