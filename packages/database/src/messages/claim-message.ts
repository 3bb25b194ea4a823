/**
 * Step 5, claim: makes the next message of a lane `sending` and commits that before the worker writes to the socket. A
 * unique index allows one message in `sending` for each device. So a claim finds a message that an earlier try left,
 * and continues it first. Each claim carries the epoch of the lease and is refused after the epoch has changed. A
 * second run finds the message of the first.
 *
 * A claim is also a move. It is not in `write-status.ts`, because it also chooses the message.
 */
import { type MessageId, messagePriorities, networkNames, networks, priorityRanks } from '@kurir/contracts';
import { metrics } from '@kurir/metrics';
import pg from 'pg';
import type { AccountKeys } from '../accounts/account-keys.js';
import { movePaceOn, paceOfDevice } from '../devices/device-pace.js';
import { mayGo, refusingDevices } from '../devices/new-contacts.js';
import { isCode, isNotCode } from '../devices/priority.js';
import { againAfterDeadlock, type Database } from '../postgres/connect.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { createGroupCommit, type GroupCommit } from '../postgres/group-commit.js';
import { isInHours, triesAreOver } from '../recipients/recipient-hours.js';
import { isSuppressed } from '../recipients/suppressed.js';
import type { LeaseToken } from '../sessions/lease-token.js';
import { type ContentRow, contentColumns, joinContent, openContents, type ReadContent } from './message-contents.js';
import { kindOfStatus } from './write-status.js';

export type ClaimRequest = LeaseToken & {
  /**
   * The last try that the worker gave to the driver under this epoch, as `tryName`. Empty: none. So a claimed try with
   * another name never reached the driver.
   */
  readonly lastTry: string;
};

export type ClaimedMessage = {
  readonly id: MessageId;
  readonly requestId: string;
  /** The span that accepted it. Null: it is not traced. */
  readonly traceparent: string | null;
  readonly networkMessageId: string;
  readonly recipient: string;
  readonly content: ReadContent;
  readonly priority: number;
  /** The number of tries that have begun, including this one. */
  readonly attempts: number;
  /** The time that was left at the claim. Null: the message does not expire. */
  readonly expiresInMs: number | null;
};

/** A message that was `sending` when it was read. */
export type StandingMessage = Pick<ClaimedMessage, 'id' | 'networkMessageId' | 'attempts'> & {
  readonly epoch: bigint;
  /** The driver never got its last claim, so it did not go out by it. */
  readonly untried: boolean;
};

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly message: ClaimedMessage }
  /** It had all its tries, its hours are over, or it expired without an answer. The caller must call `giveUp` and claim again. */
  | { readonly kind: 'exhausted'; readonly message: StandingMessage }
  /** For this long, the device's pace allows only one-time codes. */
  | { readonly kind: 'waits'; readonly waitMs: number }
  | { readonly kind: 'nothing' }
  /** Another statement changed the message during the claim. The caller must ask again. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'lease-lost' };

/** The name of a try. Attempts never decrease, so each try has another name. */
export const tryName = ({ id, attempts }: Pick<ClaimedMessage, 'id' | 'attempts'>): string => `${id}#${attempts}`;

/**
 * The message is in its lane, has not expired, and may go to its recipient. An earlier message to the same recipient
 * blocks it while only its retry keeps it back. The recipient's hours and the limits of new contacts block it, too. A
 * suppressed recipient blocks it for good, until the sweep ends it. A message that is not yet due waits outside the lane
 * until `wakeMessages` lets it in.
 *
 * Over `messages m` and the `refusing` of `refusingDevices`. The pace is a separate condition (`paceOfDevice`).
 */
export const isDue = `m.stage = 0 AND m.waits_until IS NULL AND (m.expires_at IS NULL OR m.expires_at > now())
  AND NOT EXISTS (SELECT 1 FROM messages h WHERE h.device_id = m.device_id AND h.recipient = m.recipient
                  AND h.stage = 0 AND h.waits_until IS NOT NULL AND h.held_until >= h.waits_until
                  AND h.priority = m.priority AND h.seq < m.seq)
  AND ${isInHours} AND NOT ${isSuppressed} AND ${mayGo}`;

const expiresInMs = `(extract(epoch FROM m.expires_at - now()) * 1000)::float8 AS expires_in_ms`;
const waitedSeconds = `extract(epoch FROM now() - greatest(m.created_at, m.send_at))::float8 AS waited_s`;

const triesOfNetworks = networkNames
  .map((name) => `WHEN '${name}' THEN ${networks[name].triesWithoutAnswer}`)
  .join(' ');

/** Over `messages m` that is being tried: if this try has no answer either, its network allows no other try. */
export const hadAllTries = `m.unanswered + 1 >= (SELECT CASE d.network ${triesOfNetworks} ELSE 1 END FROM devices d WHERE d.id = m.device_id)`;

/** The wait of a code if another code may have gone out before it. */
const codeHeldFor = `interval '1 second'`;

/**
 * The parts of the statement:
 *
 * - `held`: requests whose lease is live. The lock on the lease prevents another worker from taking it before the
 *   commit; a renewal does not wait for it. `LATERAL` looks up one lease for each request. With a plain join, the
 *   planner may compare every lease with every request.
 * - `standing`: the device's message in `sending`. `untried`: claimed under this epoch, but never given to the driver.
 *   `exhausted`: no other try may follow.
 * - `due`: the candidate. If the standing message may have been tried, the candidate must be a code that need not
 *   follow the standing one. A message of an earlier owner is tried again first, because only a try stores its contact.
 * - `locked`: both messages as last committed, locked in the order of their ids.
 * - `moved_back`: a standing message that lets such a code go first. It returns to the queue with one more try without
 *   an answer.
 * - `taken`: the claimed message of each device.
 */
const claimStatement = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) WITH ORDINALITY
      AS t (device_id, owner, epoch, last_try, ordinal)),
  held AS MATERIALIZED (
    SELECT asked.*, pace.next_send_at, pace.opens_at, pace.least_urgent
    FROM asked CROSS JOIN LATERAL (
      SELECT 1 FROM device_leases l
      WHERE l.device_id = asked.device_id AND l.owner = asked.owner AND l.epoch = asked.epoch AND l.expires_at > now()
      FOR KEY SHARE) lease
    CROSS JOIN LATERAL (${paceOfDevice('asked.device_id')}) pace),
  standing AS MATERIALIZED (
    SELECT ordinal, m.*, ${triesAreOver} OR (NOT untried AND (${hadAllTries} OR coalesce(m.expires_at <= now(), false))) AS exhausted
    FROM held CROSS JOIN LATERAL (
      SELECT m.id, m.device_id, m.network_message_id, m.priority, m.recipient, m.seq, m.attempts, m.unanswered, m.epoch, m.expires_at, m.window_closes_at,
        m.epoch = held.epoch AND m.id || '#' || m.attempts <> held.last_try AS untried
      FROM messages m WHERE m.device_id = held.device_id AND m.stage = 1 ORDER BY m.seq LIMIT 1) m),
  ${refusingDevices('$1::text[]')},
  due AS MATERIALIZED (
    SELECT held.ordinal, chosen.id, chosen.attempts
    FROM held LEFT JOIN standing s USING (ordinal) CROSS JOIN LATERAL (
      SELECT m.id, m.attempts FROM messages m
      WHERE m.device_id = held.device_id AND m.priority <= CASE WHEN s.id IS NULL THEN held.least_urgent ELSE ${priorityRanks.otp} END AND ${isDue}
        AND (s.id IS NULL OR ${isNotCode('s.priority')} OR m.recipient <> s.recipient OR m.seq < s.seq)
      ORDER BY m.priority, m.seq LIMIT 1) chosen
    WHERE s.id IS NULL OR (s.epoch = held.epoch AND NOT (s.untried OR s.exhausted))),
  target AS MATERIALIZED (
    SELECT held.ordinal, held.device_id, held.epoch, coalesce(due.id, s.id) AS id,
      coalesce(due.attempts, s.attempts) AS attempts, due.id IS NOT NULL AS is_new,
      due.id IS NULL AND NOT s.untried AS is_next_try, CASE WHEN due.id IS NOT NULL THEN s.id END AS in_front, s.attempts AS front_attempts
    FROM held LEFT JOIN due USING (ordinal) LEFT JOIN standing s USING (ordinal)
    WHERE due.id IS NOT NULL OR NOT s.exhausted),
  locked AS MATERIALIZED (
    SELECT m.id, m.attempts, m.status = 'queued' AND m.waits_until IS NULL AND (m.expires_at IS NULL OR m.expires_at > now()) AND ${isInHours} AS may_go
    FROM messages m WHERE m.id IN (SELECT id FROM target UNION ALL SELECT in_front FROM target WHERE in_front IS NOT NULL)
    ORDER BY m.id FOR NO KEY UPDATE),
  moved_back AS (
    UPDATE messages m SET status = 'queued', reason = 'no_answer', unanswered = m.unanswered + 1, event_count = m.event_count + 1,
      held_until = CASE WHEN ${isCode('m.priority')} THEN now() + ${codeHeldFor} ELSE m.held_until END,
      waits_until = CASE WHEN ${isCode('m.priority')} THEN now() + ${codeHeldFor} END
    FROM target t JOIN locked code USING (id)
    WHERE code.may_go AND code.attempts = t.attempts AND m.id = t.in_front AND m.status = 'sending' AND m.attempts = t.front_attempts
    RETURNING t.ordinal, m.id, m.account_id, m.device_id, m.event_count, m.waits_until),
  taken AS (
    UPDATE messages m SET status = 'sending', epoch = t.epoch, tried_at = now(),
      attempts = m.attempts + CASE WHEN t.is_new OR t.is_next_try THEN 1 ELSE 0 END,
      unanswered = m.unanswered + CASE WHEN t.is_next_try THEN 1 ELSE 0 END,
      event_count = m.event_count + CASE WHEN t.is_new THEN 1 ELSE 0 END,
      reason = CASE WHEN t.is_new THEN NULL ELSE m.reason END, held_until = CASE WHEN t.is_new THEN NULL ELSE m.held_until END
    FROM target t JOIN locked USING (id) LEFT JOIN moved_back USING (ordinal)
    WHERE m.id = t.id AND m.device_id = t.device_id AND m.status = CASE WHEN t.is_new THEN 'queued' ELSE 'sending' END
      AND m.attempts = t.attempts AND (NOT t.is_new OR locked.may_go)
      AND (t.in_front IS NULL OR moved_back.id IS NOT NULL)
    RETURNING t.ordinal, t.is_new, t.device_id, m.id, m.request_id, m.traceparent, m.account_id, m.network_message_id, m.recipient, m.body, m.priority, m.attempts, m.event_count, ${expiresInMs}, ${waitedSeconds}),
  recorded AS (
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, reason, until)
    SELECT account_id, (SELECT event_generation()), device_id, id, event_count, ${kindOfStatus('moves.status')}, reason, until FROM (
      SELECT account_id, device_id, id, event_count, 'queued' AS status, 'no_answer' AS reason, waits_until AS until FROM moved_back
      UNION ALL
      SELECT account_id, device_id, id, event_count, 'sending', NULL, NULL FROM taken WHERE is_new) moves),
  paced AS (${movePaceOn('SELECT taken.device_id, taken.priority, held.next_send_at FROM taken JOIN held USING (ordinal) WHERE taken.is_new')})
  SELECT asked.ordinal::int, held.ordinal IS NOT NULL AS held, target.id IS NOT NULL AS chosen,
    (extract(epoch FROM held.opens_at - now()) * 1000)::float8 AS wait_ms,
    CASE WHEN standing.exhausted AND target.id IS NULL THEN standing.id END AS exhausted_id, standing.network_message_id AS standing_network_id,
    standing.attempts AS standing_attempts, standing.epoch AS standing_epoch, standing.untried AS standing_untried,
    taken.id, taken.request_id, taken.traceparent, taken.account_id, taken.network_message_id, taken.recipient, taken.body, ${contentColumns}, taken.priority, taken.attempts, taken.expires_in_ms, taken.is_new, taken.waited_s
  FROM asked LEFT JOIN held USING (ordinal) LEFT JOIN target USING (ordinal) LEFT JOIN standing USING (ordinal) LEFT JOIN taken USING (ordinal) ${joinContent('taken.id')}
  ORDER BY asked.ordinal`;

type TakenRow = ContentRow & {
  request_id: string;
  traceparent: string | null;
  network_message_id: string;
  recipient: string;
  priority: number;
  attempts: number;
  expires_in_ms: number | null;
  is_new: boolean;
  waited_s: number;
};

/** One row for each request, in order. */
type ClaimRow = (TakenRow | { id: null }) & {
  held: boolean;
  chosen: boolean;
  /** Null: no pace. */
  wait_ms: number | null;
  exhausted_id: MessageId | null;
  standing_network_id: string;
  standing_attempts: number;
  standing_epoch: bigint;
  standing_untried: boolean;
};

const isTaken = (row: ClaimRow): row is ClaimRow & TakenRow => row.id !== null;

const messageOf = (row: TakenRow, content: ReadContent): ClaimedMessage => ({
  id: row.id,
  requestId: row.request_id,
  traceparent: row.traceparent,
  networkMessageId: row.network_message_id,
  recipient: row.recipient,
  content,
  priority: row.priority,
  attempts: row.attempts,
  expiresInMs: row.expires_in_ms,
});

function outcomeOf(row: ClaimRow, contents: ReadonlyMap<MessageId, ReadContent>): ClaimOutcome {
  if (!row.held) return { kind: 'lease-lost' };
  if (isTaken(row)) return { kind: 'claimed', message: messageOf(row, contents.get(row.id) ?? 'unreadable') };
  if (row.chosen) return { kind: 'busy' };
  if (row.exhausted_id !== null) {
    const {
      exhausted_id: id,
      standing_network_id: networkMessageId,
      standing_attempts: attempts,
      standing_epoch: epoch,
      standing_untried: untried,
    } = row;
    return { kind: 'exhausted', message: { id, networkMessageId, attempts, epoch, untried } };
  }
  return row.wait_ms !== null && row.wait_ms > 0 ? { kind: 'waits', waitMs: row.wait_ms } : { kind: 'nothing' };
}

/** The index that allows one message in `sending` for each device. */
const oneSending = 'messages_one_sending_idx';
const uniqueViolation = '23505';

/** Postgres ran an earlier claim of this lane late, and that claim committed first. */
const isOvertaken = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === uniqueViolation && error.constraint === oneSending;

function noteWait({ priority, attempts, is_new, waited_s }: TakenRow): void {
  const name = messagePriorities[priority];
  if (is_new && attempts === 1 && name !== undefined) metrics.messageWait.observe({ priority: name }, waited_s);
}

async function claimAll(
  { pool }: Database,
  accountKeys: AccountKeys,
  requests: readonly ClaimRequest[],
): Promise<ClaimOutcome[]> {
  try {
    const statement = {
      name: 'claim-messages',
      text: claimStatement,
      values: [
        requests.map((request) => request.deviceId),
        requests.map((request) => request.owner),
        requests.map((request) => request.epoch),
        requests.map((request) => request.lastTry),
      ],
    };
    const { rows } = await againAfterDeadlock(() => pool.query<ClaimRow>(statement));
    const taken = rows.filter(isTaken);
    for (const row of taken) noteWait(row);
    const contents = await openContents(accountKeys, taken);
    return rows.map((row) => outcomeOf(row, contents));
  } catch (error) {
    // A failed batch is repeated request by request, so only a single request is reported as busy.
    if (requests.length === 1 && isOvertaken(error)) return [{ kind: 'busy' }];
    throw error;
  }
}

export type Claimer = GroupCommit<ClaimRequest, ClaimOutcome>;

/** Claims for many lanes in one statement. A lane must wait for its claim before it makes the next one. */
export function createClaimer(database: Database, accountKeys: AccountKeys): Claimer {
  return createGroupCommit({
    maxItems: 128,
    writers: 2,
    everyMs: 3,
    maxWaiting: 100_000,
    commit: (requests: readonly ClaimRequest[]) => claimAll(database, accountKeys, requests),
    isItemFault: (error) => !isUnavailable(error),
  });
}

/**
 * Claims the next message of a lane. Resolves after the commit. If it rejects because Postgres is away, the claim may
 * have been committed.
 */
export function claimMessage(claimer: Pick<Claimer, 'submit'>, request: ClaimRequest): Promise<ClaimOutcome> {
  return claimer.submit(request);
}
