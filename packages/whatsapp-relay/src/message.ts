/**
 * A companion sends a message: acknowledged to it, and each encrypted copy handed to the device that it is for.
 * The copies stay sealed. A message that names no device is acknowledged all the same, as an obliging server would
 * (Baileys 7.0.0-rc14 sends such messages when a device query fails): the journal shows it without copies.
 */
import { accountJid } from './account.js';
import { isTimelocked, meet } from './account-limits.js';
import type { Device } from './device.js';
import type { MessageFault } from './faults.js';
import type { MessageOutcome } from './journal.js';
import { handleReceipt } from './receipt.js';
import { child, children, type Stanza, stanza, timestamp } from './stanza.js';
import type { Switchboard } from './switchboard.js';

type Copy = { readonly device: Device; readonly sealed: Stanza };

/** What happens to one message. */
type Plan = {
  readonly outcome: MessageOutcome;
  readonly error: number | null;
  readonly delivers: boolean;
  /** When and how the acknowledgement goes out. */
  readonly acknowledges: 'now' | 'never' | 'torn' | { readonly afterMs: number };
};

const timelockError = 463;
const usual: Plan = { outcome: 'acknowledged', error: null, delivers: true, acknowledges: 'now' };

export function handleMessage(board: Switchboard, from: Device, message: Stanza): void {
  const recipient = board.accounts.find(message.attrs['to']);
  const fault = board.faults.messageFaults.take(from.account.number, recipient?.number ?? null);
  if (fault?.kind === 'reset-before-delivery') {
    record(board, from, message, { ...usual, outcome: 'swallowed-before-acknowledgement' });
    from.connection?.reset();
    return;
  }
  const timelocked = recipient !== undefined && isTimelocked(from.account, recipient.number);
  const plan = fault ? planOf(fault) : timelocked ? refusal(timelockError) : usual;
  const copies = record(board, from, message, plan);
  if (plan.delivers && recipient && copies.length > 0) meet(from.account, recipient);
  const acknowledgement = acknowledgementOf(message, plan);
  if (plan.acknowledges === 'now') from.connection?.send(acknowledgement);
  if (plan.delivers) for (const copy of copies) deliver(board, from, message, copy);
  if (plan.acknowledges === 'torn') from.connection?.resetMidFrame(acknowledgement);
  if (typeof plan.acknowledges === 'object') sendLater(from, acknowledgement, plan.acknowledges.afterMs);
}

function planOf(fault: Exclude<MessageFault, { kind: 'reset-before-delivery' }>): Plan {
  switch (fault.kind) {
    case 'refuse':
      return refusal(fault.error);
    case 'swallow-before-acknowledgement':
      return { outcome: 'swallowed-before-acknowledgement', error: null, delivers: false, acknowledges: 'never' };
    case 'swallow-after-acknowledgement':
      return { outcome: 'swallowed-after-acknowledgement', error: null, delivers: false, acknowledges: 'now' };
    case 'lose-acknowledgement':
      return { outcome: 'delivered-without-acknowledgement', error: null, delivers: true, acknowledges: 'never' };
    case 'reset-mid-acknowledgement':
      return { outcome: 'delivered-without-acknowledgement', error: null, delivers: true, acknowledges: 'torn' };
    case 'delay-acknowledgement':
      return { ...usual, acknowledges: { afterMs: fault.delayMs } };
  }
}

function refusal(error: number): Plan {
  return { outcome: 'refused', error, delivers: false, acknowledges: 'now' };
}

function record(board: Switchboard, from: Device, message: Stanza, plan: Plan): readonly Copy[] {
  const copies = copiesOf(board, message);
  board.journal.record({
    kind: 'message',
    device: from.name,
    id: message.attrs['id'] ?? '',
    recipient: board.accounts.find(message.attrs['to'])?.number ?? null,
    copies: copies.map(({ device, sealed }) => ({ device: device.name, encryption: sealed.attrs['type'] ?? '' })),
    outcome: plan.outcome,
    error: plan.error,
  });
  return copies;
}

/** One copy per `<participants><to>`; a message for one device has its `<enc>` directly. */
function copiesOf(board: Switchboard, message: Stanza): readonly Copy[] {
  const participants = child(message, 'participants');
  const sealed = participants
    ? children(participants, 'to').map((to) => ({ jid: to.attrs['jid'], sealed: child(to, 'enc') }))
    : [{ jid: message.attrs['to'], sealed: child(message, 'enc') }];
  return sealed.flatMap(({ jid, sealed: copy }) => {
    const device = board.accounts.findDevice(jid);
    return device && copy ? [{ device, sealed: copy }] : [];
  });
}

function deliver(board: Switchboard, from: Device, message: Stanza, { device, sealed }: Copy): void {
  const { account } = from;
  if (device.id === 0) return reportDelivery(board, from, message, device);
  const identity = child(message, 'device-identity');
  const attrs = {
    id: message.attrs['id'] ?? '',
    type: message.attrs['type'] ?? 'text',
    t: timestamp(),
    notify: account.number,
    from: from.jid,
    ...(account.addressing === 'lid'
      ? { addressing_mode: 'lid', sender_pn: accountJid(account, 's.whatsapp.net') }
      : { sender_lid: accountJid(account, 'lid') }),
    // A copy for the sender's own devices says whom it was written to.
    ...(device.account === account ? { recipient: message.attrs['to'] ?? '' } : {}),
  };
  const introduction = sealed.attrs['type'] === 'pkmsg' && identity ? [identity] : [];
  device.deliver(stanza('message', attrs, [sealed, ...introduction]));
}

/** A phone has no client here: its copy stays sealed, and all that comes back is that it arrived. */
function reportDelivery(board: Switchboard, from: Device, { attrs }: Stanza, phone: Device): void {
  if (!phone.account.reportsDeliveries || phone.account === from.account) return;
  handleReceipt(board, phone, stanza('receipt', { to: from.jid, id: attrs['id'] ?? '' }));
}

function acknowledgementOf(message: Stanza, plan: Plan): Stanza {
  return stanza('ack', {
    class: 'message',
    id: message.attrs['id'] ?? '',
    from: message.attrs['to'] ?? '',
    t: timestamp(),
    ...(plan.error === null ? {} : { error: String(plan.error) }),
  });
}

/** Late acknowledgements go to the device's connection of that moment. They keep no process alive. */
function sendLater(from: Device, acknowledgement: Stanza, delayMs: number): void {
  setTimeout(() => from.connection?.send(acknowledgement), delayMs).unref();
}
