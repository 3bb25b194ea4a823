/**
 * Step 5, claim: the next messages of a lane and priority become `sending`, committed before the socket is
 * written. Every claim carries the lease's epoch and is refused when that is no longer the current one. Run
 * twice it claims the messages after them, never the same ones.
 *
 * A claim is a move too; it stands here and not in `write-status.ts` because it also chooses the messages.
 */
import { type DeviceId, limits, type MessageId } from '@kurir/contracts';
import type pg from 'pg';
import { type Database, isUnavailable } from './connect.js';
import { createGroupCommit, type GroupCommit } from './group-commit.js';
import { mayGo, refusingDevices } from './new-contacts.js';

export type Holder = { readonly deviceId: DeviceId; readonly owner: string; readonly epoch: bigint };

export type ClaimRequest = Holder & {
  readonly priority: number;
  /** Only messages of this priority accepted up to and including this one; null: whatever is due of it and of higher ones, the highest first. */
  readonly upToSeq: bigint | null;
  /** How many messages at most, one or more. */
  readonly most: number;
  /** Messages of the lane of which is being stored that the network has them: they may stand as `sending`. */
  readonly except: readonly MessageId[];
};

/** A message that stands as `sending`, as it was read or claimed. */
export type SendingMessage = {
  readonly id: MessageId;
  /** Another one after each write of the message (Postgres' `xmin`). */
  readonly version: string;
};

export type ClaimedMessage = SendingMessage & {
  readonly requestId: string;
  readonly networkMessageId: string;
  readonly recipient: string;
  readonly text: string;
  readonly priority: number;
  readonly attempts: number;
  /** What was left of its time when it was claimed; null: it has as long as it takes. */
  readonly expiresInMs: number | null;
};

export type ClaimOutcome =
  | {
      readonly kind: 'claimed';
      /** In the order in which they are to be sent; at least one. */
      readonly messages: readonly ClaimedMessage[];
      /** Further messages of the same turn are due: the job is not finished. */
      readonly more: boolean;
    }
  | { readonly kind: 'nothing' }
  /**
   * What stands as `sending` (but `except`) has to be settled first, or this claim's messages would overtake it: those of a claim of which
   * its worker did not hear, because it was carried out after the worker had given it up; or this one's own, when somebody
   * moved one of them in this very moment, which may have been such a claim, or cancelled it.
   */
  | { readonly kind: 'unsettled' }
  | { readonly kind: 'lease-lost' };

/**
 * In its lane, in time, not behind an earlier message to the same recipient that is held, and not to somebody new while
 * the device writes to nobody new. What is not due yet stands beside the lane until `wakeMessages` lets it in.
 * Over `messages m` and the `refusing` of `refusingDevices`.
 */
export const isDue = `m.stage = 0 AND m.waits_until IS NULL AND (m.expires_at IS NULL OR m.expires_at > now())
  AND NOT EXISTS (SELECT 1 FROM messages h WHERE h.device_id = m.device_id AND h.recipient = m.recipient
                  AND h.stage = 0 AND h.waits_until IS NOT NULL AND h.held_until IS NOT NULL
                  AND h.priority = m.priority AND h.seq < m.seq)
  AND ${mayGo}`;

const expiresInMs = `(extract(epoch FROM m.expires_at - now()) * 1000)::float8 AS expires_in_ms`;

/**
 * The lock on the lease keeps it from being taken before the claim is committed; renewing does not wait for it. It is looked
 * up for each request: joined, all leases of the worker were compared with all requests once statistics said that few run.
 */
const claimStatement = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::smallint[], $5::bigint[], $6::int[], $7::text[]) WITH ORDINALITY
      AS t (device_id, owner, epoch, priority, up_to_seq, most, excepted, ordinal)),
  held AS (
    SELECT asked.*, EXISTS (
      SELECT 1 FROM messages b WHERE b.device_id = asked.device_id AND b.stage = 1
        AND b.id <> ALL (string_to_array(asked.excepted, ','))) AS busy
    FROM asked CROSS JOIN LATERAL (
      SELECT 1 FROM device_leases l
      WHERE l.device_id = asked.device_id AND l.owner = asked.owner AND l.epoch = asked.epoch AND l.expires_at > now()
      FOR KEY SHARE) lease),
  ${refusingDevices('$1::text[]')},
  next AS (
    SELECT held.ordinal, held.epoch, due.ids[:held.most] AS ids, cardinality(due.ids) > held.most AS more
    FROM held CROSS JOIN LATERAL (
      SELECT array_agg(id ORDER BY priority, seq) AS ids FROM (
        (SELECT m.id, m.priority, m.seq FROM messages m
         WHERE held.up_to_seq IS NULL AND m.device_id = held.device_id AND m.priority <= held.priority AND ${isDue}
         ORDER BY m.priority, m.seq LIMIT held.most + 1)
        UNION ALL
        (SELECT m.id, m.priority, m.seq FROM messages m
         WHERE m.device_id = held.device_id AND m.priority = held.priority AND m.seq <= held.up_to_seq AND ${isDue}
         ORDER BY m.seq LIMIT held.most + 1)) few) due
    WHERE NOT held.busy),
  claimed AS (
    UPDATE messages m SET status = 'sending', reason = NULL, held_until = NULL, attempts = m.attempts + 1, epoch = next.epoch
    FROM (SELECT ordinal, epoch, unnest(ids) AS id FROM next) next WHERE m.id = next.id AND m.status = 'queued'
    RETURNING next.ordinal, m.id, m.request_id, m.network_message_id, m.recipient, m.body, m.priority, m.seq, m.attempts, ${expiresInMs}, m.xmin AS version),
  recorded AS (
    INSERT INTO message_events (message_id, status) SELECT id, 'sending' FROM claimed)
  SELECT asked.ordinal::int, held.ordinal IS NOT NULL AS held, held.busy, cardinality(next.ids) AS chosen, next.more, claimed.id, claimed.request_id, claimed.network_message_id,
         claimed.recipient, claimed.body, claimed.priority, claimed.attempts, claimed.expires_in_ms, claimed.version
  FROM asked LEFT JOIN held USING (ordinal) LEFT JOIN next USING (ordinal) LEFT JOIN claimed USING (ordinal)
  ORDER BY asked.ordinal, claimed.priority, claimed.seq`;

type MessageRow = {
  id: MessageId;
  request_id: string;
  network_message_id: string;
  recipient: string;
  body: string;
  priority: number;
  attempts: number;
  expires_in_ms: number | null;
  version: string;
};

/** One of each claimed message, or one of a claim that took none. `ordinal` is the request's, from 1. */
type ClaimRow = (MessageRow | { id: null }) & {
  ordinal: number;
  held: boolean;
  busy: boolean | null;
  chosen: number | null;
  more: boolean | null;
};

const messageOf = (row: MessageRow): ClaimedMessage => ({
  id: row.id,
  requestId: row.request_id,
  networkMessageId: row.network_message_id,
  recipient: row.recipient,
  text: row.body,
  priority: row.priority,
  attempts: row.attempts,
  expiresInMs: row.expires_in_ms,
  version: row.version,
});

/** `rows`: all of one request. */
function outcomeOf(rows: readonly [ClaimRow, ...ClaimRow[]]): ClaimOutcome {
  const [{ held, busy, chosen, more }] = rows;
  if (!held) return { kind: 'lease-lost' };
  if (busy === true) return { kind: 'unsettled' };
  if (chosen === null) return { kind: 'nothing' };
  const messages = rows.flatMap((row) => (row.id === null ? [] : [messageOf(row)]));
  return messages.length < chosen ? { kind: 'unsettled' } : { kind: 'claimed', messages, more: more === true };
}

/** The rows of a request follow each other. */
function outcomesOf(rows: readonly ClaimRow[]): ClaimOutcome[] {
  const requests: [ClaimRow, ...ClaimRow[]][] = [];
  for (const row of rows) {
    const last = requests.at(-1);
    if (last !== undefined && last[0].ordinal === row.ordinal) last.push(row);
    else requests.push([row]);
  }
  return requests.map(outcomeOf);
}

async function claimAll(pool: pg.Pool, requests: readonly ClaimRequest[]): Promise<ClaimOutcome[]> {
  const { rows } = await pool.query<ClaimRow>({
    name: 'claim-messages',
    text: claimStatement,
    values: [
      requests.map((request) => request.deviceId),
      requests.map((request) => request.owner),
      requests.map((request) => request.epoch),
      requests.map((request) => request.priority),
      requests.map((request) => request.upToSeq),
      requests.map((request) => request.most),
      requests.map((request) => request.except.join(',')),
    ],
  });
  return outcomesOf(rows);
}

/** Claims for many lanes in one statement. A device may ask once at a time: its lane takes one turn after the other. */
export function createClaimer(database: Database): GroupCommit<ClaimRequest, ClaimOutcome> {
  return createGroupCommit({
    maxItems: 128,
    writers: 2,
    spaced: true,
    maxWaiting: 100_000,
    commit: (requests: readonly ClaimRequest[]) => claimAll(database.pool, requests),
    isItemFault: (error) => !isUnavailable(error),
  });
}

export type UnsettledMessage = SendingMessage & { readonly epoch: bigint; readonly networkMessageId: string };

/** What stands as `sending` on a device and is in nobody's hands, oldest first: an earlier owner or a broken connection left it. */
export async function readUnsettled(database: Database, deviceId: DeviceId): Promise<UnsettledMessage[]> {
  const { rows } = await database.pool.query<UnsettledMessage>({
    name: 'read-unsettled',
    text: `SELECT id, epoch, network_message_id AS "networkMessageId", xmin AS version FROM messages WHERE device_id = $1 AND stage = 1 ORDER BY seq`,
    values: [deviceId],
  });
  return rows;
}

/**
 * Begins the next try of a message whose last one got no answer, under its old id. Null when there must be none:
 * it had its tries, it is too late, it was answered meanwhile, or the lease is lost. The caller then asks
 * `giveUp`, which makes it `unknown` only if it still stands unanswered.
 */
export async function claimAgain(
  database: Database,
  holder: Holder,
  message: Pick<UnsettledMessage, 'id' | 'epoch'>,
): Promise<ClaimedMessage | null> {
  const { rows } = await database.pool.query<MessageRow>({
    name: 'claim-again',
    text: `WITH lease AS (
             SELECT 1 FROM device_leases WHERE device_id = $1 AND owner = $2 AND epoch = $3 AND expires_at > now() FOR KEY SHARE)
           UPDATE messages m SET attempts = m.attempts + 1, unanswered = m.unanswered + 1, epoch = $3 FROM lease
           WHERE m.id = $4 AND m.device_id = $1 AND m.status = 'sending' AND m.epoch = $5 AND m.unanswered + 1 < $6
             AND (m.expires_at IS NULL OR m.expires_at > now())
           RETURNING m.id, m.request_id, m.network_message_id, m.recipient, m.body, m.priority, m.attempts, ${expiresInMs}, m.xmin AS version`,
    values: [holder.deviceId, holder.owner, holder.epoch, message.id, message.epoch, limits.maxUnansweredAttempts],
  });
  const [row] = rows;
  return row === undefined ? null : messageOf(row);
}
