/** Who is online, and who is typing. Chat states reach companions that are connected; nothing is kept. */
import type { Account, Device } from '../devices/account.js';
import { addressSeenBy } from '../devices/address.js';
import { children, type Stanza, stanza } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

/** `available` and `unavailable` of this device, or `subscribe` to another account. A bare name is only noted. */
export function handlePresence(board: Switchboard, from: Device, presence: Stanza): void {
  const { type = 'name', to } = presence.attrs;
  board.journal.record({ kind: 'presence', device: from.name, type });
  if (type === 'subscribe') return subscribe(from, board.accounts.find(to));
  if (type !== 'available' && type !== 'unavailable') return;
  from.available = type === 'available';
  for (const watcher of from.account.watchers) watcher.deliver(presenceOf(watcher, from.account));
}

/** A device that left is not available any more. */
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
