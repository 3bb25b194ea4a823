/**
 * A companion sends a message. A rule (`rules/`) or an armed fault may refuse it. Otherwise the relay acknowledges it
 * and delivers each encrypted copy to its device. The copies stay sealed.
 */
import { meet } from '../devices/account-limits.js';
import { type Copy, copiesOf, deliverCopy } from './delivery.js';
import type { Device } from '../devices/account.js';
import type { MessageFault } from '../switchboard/faults.js';
import type { MessageOutcome } from '../switchboard/journal.js';
import { type Refusal, refusalOf } from '../rules/refusal.js';
import { staleHash } from './stale-devices.js';
import { child, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Switchboard } from '../switchboard/switchboard.js';

/** The treatment of one message. */
type Plan = {
  readonly outcome: MessageOutcome;
  readonly refusal: { readonly error: number; readonly rule: Refusal['rule'] | null } | null;
  /** How often the relay delivers each copy; 0 if nobody gets it. */
  readonly deliveries: number;
  /** When and how the relay acknowledges the message. */
  readonly acknowledges: 'now' | 'never' | 'torn' | { readonly afterMs: number };
  /** Further attributes of the acknowledgement. */
  readonly says: Readonly<Record<string, string>>;
};

const usual: Plan = { outcome: 'acknowledged', refusal: null, deliveries: 1, acknowledges: 'now', says: {} };

export function handleMessage(board: Switchboard, from: Device, message: Stanza): void {
  const recipient = board.accounts.find(message.attrs['to']);
  const fault = board.faults.messageFaults.take(from.account.number, recipient?.number ?? null);
  if (fault?.kind === 'reset-before-delivery') {
    record(board, from, message, { ...usual, outcome: 'swallowed-before-acknowledgement' });
    from.connection?.reset();
    return;
  }
  const refusal = refusalOf(from.account, recipient, message, board.strict);
  const plan = fault ? planOf(fault) : refusal ? refused(refusal) : usual;
  const copies = record(board, from, message, plan);
  if (plan.deliveries > 0 && recipient && copies.length > 0) meet(from.account, recipient);
  const hash = plan.refusal ? null : staleHash(from, recipient, message, copies);
  const acknowledgement = acknowledgementOf(message, plan, hash);
  if (plan.acknowledges === 'now') from.connection?.send(acknowledgement);
  for (let time = 0; time < plan.deliveries; time += 1) {
    for (const copy of copies) deliverCopy(board, from, message, copy);
  }
  if (plan.acknowledges === 'torn') from.connection?.resetMidFrame(acknowledgement);
  if (typeof plan.acknowledges === 'object') sendLater(from, acknowledgement, plan.acknowledges.afterMs);
}

function planOf(fault: Exclude<MessageFault, { kind: 'reset-before-delivery' }>): Plan {
  switch (fault.kind) {
    case 'refuse':
      return refused({ error: fault.error, rule: null });
    case 'swallow-before-acknowledgement':
      return { ...usual, outcome: 'swallowed-before-acknowledgement', deliveries: 0, acknowledges: 'never' };
    case 'swallow-after-acknowledgement':
      return { ...usual, outcome: 'swallowed-after-acknowledgement', deliveries: 0 };
    case 'lose-acknowledgement':
      return { ...usual, outcome: 'delivered-without-acknowledgement', acknowledges: 'never' };
    case 'reset-mid-acknowledgement':
      return { ...usual, outcome: 'delivered-without-acknowledgement', acknowledges: 'torn' };
    case 'delay-acknowledgement':
      return { ...usual, acknowledges: { afterMs: fault.delayMs } };
    case 'deliver-twice':
      return { ...usual, deliveries: 2 };
    case 'refresh-lid':
      return { ...usual, says: { refresh_lid: 'true' } };
  }
}

function refused(refusal: NonNullable<Plan['refusal']>): Plan {
  return { ...usual, outcome: 'refused', refusal, deliveries: 0 };
}

function record(board: Switchboard, from: Device, message: Stanza, plan: Plan): readonly Copy[] {
  const copies = copiesOf(board, message);
  const { id = '', to = '', peer_recipient_pn: recipientAddress = null } = message.attrs;
  board.journal.record({
    kind: 'message',
    device: from.name,
    id,
    recipient: board.accounts.find(to)?.number ?? null,
    address: to,
    recipientAddress,
    token: child(message, 'tctoken') ? 'tctoken' : child(message, 'cstoken') ? 'cstoken' : null,
    isSingle: !child(message, 'participants') && child(message, 'enc') !== undefined,
    copies: copies.map(({ device, sealed }) => ({ device: device.name, encryption: sealed.attrs['type'] ?? '' })),
    outcome: plan.outcome,
    error: plan.refusal?.error ?? null,
    rule: plan.refusal?.rule ?? null,
  });
  return copies;
}

function acknowledgementOf(message: Stanza, { refusal, says }: Plan, hash: string | null): Stanza {
  const { id = '', to = '' } = message.attrs;
  return stanza('ack', {
    class: 'message',
    id,
    from: to,
    t: timestamp(),
    ...says,
    ...(hash === null ? {} : { phash: hash }),
    ...(refusal === null ? {} : { error: String(refusal.error) }),
  });
}

/** Uses the connection that the device has after the delay. The timer keeps no process alive. */
function sendLater(from: Device, acknowledgement: Stanza, delayMs: number): void {
  setTimeout(() => from.connection?.send(acknowledgement), delayMs).unref();
}
