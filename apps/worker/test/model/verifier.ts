/** Checks after each step that the product's rows agree with the model and with the frames of the network. */
import { type MessageStatus, messageMoves, refundedStatuses } from '@kurir/contracts';
import type { Accepted, Expected } from './expected.js';
import type { Frame, Network } from './network.js';
import { beginningMs } from './stopped-clock.js';
import type { World } from './world.js';

type Row = {
  readonly id: string;
  readonly status: MessageStatus;
  readonly epoch: bigint | null;
  readonly attempts: number;
  readonly unanswered: number;
  readonly life: MessageStatus[];
  /** The numbers of its events in the order of writing, and the message's own count of them. */
  readonly numbers: number[];
  readonly counted: number;
};

type LeaseRow = {
  readonly owner: string | null;
  readonly lease_epoch: bigint;
  readonly lease_expires_at: Date;
  readonly taken_quota: number;
};

const snapshot = {
  name: 'model-snapshot',
  text: `SELECT l.owner, l.epoch AS lease_epoch, l.expires_at AS lease_expires_at, p.taken_quota,
           m.id, m.status, m.epoch, m.attempts, m.unanswered,
           ARRAY(SELECT e.status FROM message_events e WHERE e.message_id = m.id ORDER BY e.ordinal) AS life,
           ARRAY(SELECT e.sequence FROM events e WHERE e.subject_id = m.id ORDER BY e.seq) AS numbers, m.event_count AS counted
         FROM device_leases l JOIN devices d ON d.id = l.device_id
         JOIN subscription_periods p ON p.account_id = d.account_id
         LEFT JOIN messages m ON m.device_id = d.id
         WHERE l.device_id = $1`,
};

/** Counts the `sending` messages, and tells whether two claims came faster than the pace allows. One-time codes have no pace. */
const claims = {
  name: 'model-claims',
  text: `SELECT (SELECT count(*)::int FROM messages WHERE device_id = $1 AND status = 'sending') AS sending,
           (SELECT min(e.at - e.before) FROM (
             SELECT e.at, lag(e.at) OVER (ORDER BY e.at, e.ordinal) AS before
             FROM message_events e JOIN messages m ON m.id = e.message_id
             WHERE m.device_id = $1 AND m.priority > 0 AND e.status = 'sending') e) < interval '3 seconds' AS hurried`,
};

/** A first frame may be so late. */
const lateMs = 2_000;
const dayMs = 86_400_000;

const reported: readonly MessageStatus[] = ['sent', 'delivered', 'read'];
const isRefunded = (status: MessageStatus) => (refundedStatuses as readonly MessageStatus[]).includes(status);

export class Verifier {
  readonly #world: World;
  readonly #seen = new Map<string, Row>();
  #askedSeen = -1;
  #shownSeen = 0;
  #writtenSeen = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Throws the first violation. */
  async check(): Promise<void> {
    const { expected, network, wiretap } = this.#world;
    if (wiretap.asked !== this.#askedSeen) await this.#checkRows();
    this.#askedSeen = wiretap.asked;
    for (const frame of network.written.slice(this.#writtenSeen)) {
      checkTime(expected, network, frame);
      if (expected.polite) this.#checkNewContact(frame);
    }
    this.#writtenSeen = network.written.length;
    checkShown(expected, network, this.#shownSeen);
    this.#shownSeen = network.shown.length;
    const [violation] = expected.violations;
    if (violation !== undefined) throw new Error(violation);
  }

  /** The statuses of the messages that have not ended. */
  get unfinished(): string[] {
    const statuses = [...this.#seen.values()].map((row) => row.status);
    return statuses.filter((status) => status === 'queued' || status === 'sending');
  }

  async #checkRows(): Promise<void> {
    const { expected, clock } = this.#world;
    const { rows } = await clock.database.pool.query<Row & LeaseRow>({ ...snapshot, values: [expected.deviceId] });
    const [first] = rows;
    if (first === undefined) throw new Error('the device is gone');
    this.#checkLease(first);
    const messages = rows.filter((row) => row.id !== null);
    for (const row of messages) this.#checkMessage(row);
    const kept = messages.filter((row) => !isRefunded(row.status)).length;
    expected.demand(first.taken_quota === kept, `quota says ${first.taken_quota}, the messages say ${kept}`);
    expected.demand(messages.length === expected.accepted.length, 'what is stored is not what was accepted');
    await this.#checkClaims();
  }

  async #checkClaims(): Promise<void> {
    const { expected, clock } = this.#world;
    type Claims = { readonly sending: number; readonly hurried: boolean | null };
    const { rows } = await clock.database.pool.query<Claims>({ ...claims, values: [expected.deviceId] });
    for (const { sending, hurried } of rows) {
      expected.demand(sending <= 1, `${sending} messages of the device are sending`);
      expected.demand(!expected.polite || hurried !== true, 'two messages were claimed faster than the pace');
    }
  }

  /** Checks the final statuses, once no frame is in flight. */
  async checkEnds(): Promise<void> {
    const { expected, network } = this.#world;
    for (const { id, status } of this.#seen.values()) {
      const message = expected.byId(id);
      const isShown = message !== undefined && shownOf(network, message).length > 0;
      if (isRefunded(status)) expected.demand(!isShown, `a message ended as ${status} and was shown`);
      else if (status !== 'unknown') expected.demand(isShown, `a message ended as ${status} and was never shown`);
    }
    await this.check();
  }

  /** The device may write to one new contact a day. A refused frame does not count, because it reached nobody. */
  #checkNewContact(frame: Frame): void {
    const { expected, network } = this.#world;
    const isFirst = ({ recipient, ordinal }: Frame) =>
      !network.taken.some((other) => other.recipient === recipient && other.ordinal < ordinal);
    const others = network.taken.filter(
      (each) => each.ordinal < frame.ordinal && isFirst(each) && frame.writtenAt - each.writtenAt < dayMs,
    );
    expected.demand(
      !isFirst(frame) || others.length === 0,
      'a device wrote to more new contacts than its limit allows',
    );
  }

  #checkLease(row: LeaseRow): void {
    const { expected } = this.#world;
    const { owner, epoch, expiresAt } = expected.lease;
    const same =
      row.owner === owner && row.lease_epoch === epoch && row.lease_expires_at.getTime() - beginningMs === expiresAt;
    expected.demand(same, 'the lease is not what was taken, renewed and released');
  }

  #checkMessage(row: Row): void {
    const { expected, network } = this.#world;
    const before = this.#seen.get(row.id);
    const message = expected.byId(row.id);
    if (before !== undefined && before.life.length === row.life.length && before.attempts === row.attempts) return;
    this.#seen.set(row.id, row);
    if (message === undefined) return expected.demand(false, 'a message is stored that was not accepted');
    if (row.attempts !== (before?.attempts ?? 0))
      expected.demand(row.epoch === expected.lease.epoch, 'a try carries an epoch that is not the current one');
    // The first holder knows its own tries. A claim whose answer it never received costs no try.
    if (row.epoch === 1n && expected.lease.epoch === 1n && row.status !== 'unknown')
      expected.demand(row.unanswered <= message.written, 'a try that was never written counts as unanswered');
    checkMoves(expected, before?.life ?? [], row);
    const isWhole = row.numbers.length === row.counted && row.numbers.every((number, n) => number === n + 1);
    expected.demand(isWhole, `events are numbered ${row.numbers.join(' ')}, ${row.counted} are counted`);
    checkSteps(expected, row);
    for (const status of row.life.slice(before?.life.length ?? 0)) checkTruth(status, message, expected, network);
  }
}

function checkMoves(expected: Expected, before: readonly MessageStatus[], { life, status }: Row): void {
  const walked: MessageStatus[] = ['queued', ...life];
  for (let i = before.length; i < walked.length - 1; i++) {
    const [from, to] = [walked[i], walked[i + 1]];
    if (from !== undefined && to !== undefined)
      expected.demand(messageMoves[from].includes(to), `a message went from ${from} to ${to}`);
  }
  expected.demand(walked.at(-1) === status, 'the status is not the last event');
}

/** A report implies the earlier ones, and no step comes twice. */
function checkSteps(expected: Expected, { life }: Row): void {
  const reports = life.filter((status) => reported.includes(status));
  expected.demand(
    reports.every((status, i) => status === reported[i]),
    `a message was ${reports.join(', then ')}`,
  );
}

const shownOf = (network: Network, message: Accepted): Frame[] =>
  network.shown.filter((frame) => frame.text === message.text);

/** A new status must be true, and must stay true. */
function checkTruth(status: MessageStatus, message: Accepted, expected: Expected, network: Network): void {
  const isShown = shownOf(network, message).length > 0;
  const mayBeShown = isShown || network.inFlight.some((frame) => frame.text === message.text);
  if (status === 'sent' || status === 'delivered' || status === 'read')
    expected.demand(isShown, `a message is ${status} that the network never took`);
  if (isRefunded(status)) {
    expected.demand(!mayBeShown, `a message is ${status} that was shown, or may be`);
    expected.demand(message.openTries === 0, `a message is ${status} although a try has no answer`);
  }
  if (status === 'expired')
    expected.demand((message.expiresAt ?? Infinity) <= expected.now, 'a message expired before its time');
  if (status === 'cancelled') expected.demand(message.cancelledAt !== null, 'a message was cancelled by nobody');
  if (status === 'unknown') {
    expected.demand(message.openTries > 0, 'a message is unknown although every try was answered');
    expected.demand(expected.faulty, 'a message is unknown although nothing went wrong');
  }
}

/** Checks the frames that the phones have shown since the last check. */
function checkShown(expected: Expected, network: Network, from: number): void {
  for (const frame of network.shown.slice(from)) {
    const message = expected.accepted.find((candidate) => candidate.text === frame.text);
    if (message === undefined) {
      expected.demand(false, 'a message was shown that nobody asked for');
      continue;
    }
    expected.demand(shownOf(network, message).length === 1, 'a message was shown twice');
    checkOrder(expected, network, message, frame);
  }
}

/** Scheduled messages have no place in the order, because they wait for a sweep even when they are due. */
function checkOrder(expected: Expected, network: Network, message: Accepted, frame: Frame): void {
  if (message.sendAt !== null) return;
  for (const later of expected.accepted) {
    if (later.seq <= message.seq || later.recipient !== message.recipient || later.priority !== message.priority)
      continue;
    const [shown] = shownOf(network, later);
    expected.demand(shown === undefined || shown.ordinal > frame.ordinal, 'a later message went out first');
  }
}

/** Runs before anything else happens: a message that is cancelled now was cancelled before its frame. */
function checkTime(expected: Expected, network: Network, { text, writtenAt, ordinal }: Frame): void {
  const message = expected.accepted.find((candidate) => candidate.text === text);
  if (message === undefined) return;
  const { cancelledAt, expiresAt, sendAt } = message;
  const isFirst = network.written.findIndex((frame) => frame.text === text) === ordinal;
  expected.demand(sendAt === null || writtenAt >= sendAt, 'a message was sent before its time');
  expected.demand(
    !isFirst || expiresAt === null || writtenAt <= expiresAt + lateMs,
    'a message was first sent after its expiry',
  );
  expected.demand(cancelledAt === null, 'a cancelled message was sent');
}
