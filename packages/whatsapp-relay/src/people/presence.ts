/**
 * Presence (who is online) and chat states (who is typing). They reach only companions that are connected; the relay
 * keeps none of them.
 */
import type { Account, Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import { children, type Stanza, stanza } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

/**
 * Handles `available` and `unavailable` of this device, and `subscribe` to another account. A stanza that only states a
 * name goes to the journal and nowhere else.
 */
export function handlePresence(board: Switchboard, from: Device, presence: Stanza): void {
  const { type = 'name', to } = presence.attrs;
  board.journal.record({ kind: 'presence', device: from.name, type });
  if (type === 'subscribe') return subscribe(from, board.accounts.find(to));
  if (type !== 'available' && type !== 'unavailable') return;
  from.available = type === 'available';
  for (const watcher of from.account.watchers) watcher.deliver(presenceOf(watcher, from.account));
}

/** Marks a device as unavailable when its connection has ended. */
export function leave(device: Device): void {
  if (!device.available) return;
  device.available = false;
  for (const watcher of device.account.watchers) watcher.deliver(presenceOf(watcher, device.account));
}

export function handleChatState(board: Switchboard, from: Device, chatState: Stanza): void {
  const recipient = board.accounts.find(chatState.attrs['to']);
  const [state] = children(chatState);
  const spoken = state?.attrs['media'] === 'audio' ? 'recording' : (state?.tag ?? '');
  const { to: address = '' } = chatState.attrs;
  board.journal.record({
    kind: 'chat-state',
    device: from.name,
    recipient: recipient?.number ?? null,
    address,
    state: spoken,
  });
  if (!recipient) return;
  const passedOn = stanza('chatstate', { from: addressSeenBy(recipient, from.account) }, chatState.content);
  for (const device of recipient.devices.values()) device.deliver(passedOn);
}

function subscribe(watcher: Device, account: Account | undefined): void {
  if (!account) return;
  account.watchers.add(watcher);
  watcher.deliver(presenceOf(watcher, account));
}

function presenceOf(watcher: Device, account: Account): Stanza {
  const available = [...account.devices.values()].some((device) => device.available);
  const from = addressSeenBy(watcher.account, account);
  return available ? stanza('presence', { from }) : stanza('presence', { from, type: 'unavailable', last: 'deny' });
}
