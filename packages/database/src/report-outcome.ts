/**
 * What the network said, as moves: outcomes of tries by the present owner, acknowledgements and receipts from
 * anywhere. All of them are gathered into few statements; each caller learns when its own is committed.
 */
import type { DeviceId, MessageId, MessageReason } from '@kurir/contracts';
import { limits } from '@kurir/contracts';
import { type Database, isUnavailable } from './connect.js';
import type { Holder } from './claim-message.js';
import { createGroupCommit } from './group-commit.js';
import { type Move, moveMessages, roundsOf, writeMoves } from './write-status.js';

export type TryOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'not-sent'; readonly permanent: true; readonly reason: MessageReason }
  | {
      readonly kind: 'not-sent';
      readonly permanent: false;
      readonly reason: MessageReason;
      readonly retryAfterMs: number;
    };

/** The move that an answered try asks for. An acknowledgement counts from any owner, a refusal only from the present one. */
function moveOfOutcome(id: MessageId, epoch: bigint, outcome: TryOutcome): Move {
  if (outcome.kind === 'sent') return { id, to: 'sent' };
  if (outcome.permanent) return { id, to: 'failed', reason: outcome.reason, ownerEpoch: epoch };
  return { id, to: 'queued', reason: outcome.reason, ownerEpoch: epoch, holdMs: outcome.retryAfterMs };
}

export type NetworkReport = {
  readonly deviceId: DeviceId;
  readonly networkMessageId: string;
  readonly status: 'sent' | 'delivered' | 'read';
};

const reportedMoves = `SELECT m.id, t.status, NULL::text, NULL::bigint, NULL::bigint
  FROM unnest($1::text[], $2::text[], $3::text[]) AS t (device_id, network_message_id, status)
  JOIN messages m USING (device_id, network_message_id)`;

/** A report about a message that we never sent (another companion's) has no row and is dropped. */
async function writeReports(database: Database, reports: readonly NetworkReport[]): Promise<boolean[]> {
  const moved = new Set<string>();
  for (const round of roundsOf(reports, keyOf)) {
    const rows = await writeMoves(database.pool, 'move-reported', reportedMoves, [
      round.map((report) => report.deviceId),
      round.map((report) => report.networkMessageId),
      round.map((report) => report.status),
    ]);
    for (const row of rows) moved.add(row.networkMessageId);
  }
  return reports.map((report) => moved.has(report.networkMessageId));
}

const keyOf = ({ deviceId, networkMessageId }: NetworkReport) => `${deviceId} ${networkMessageId}`;

export type OutcomeWriter = {
  /** Commits what a try brought; true when the message moved. */
  answered(id: MessageId, epoch: bigint, outcome: TryOutcome): Promise<boolean>;
  /** Commits an acknowledgement or receipt; true when the message moved. */
  reported(report: NetworkReport): Promise<boolean>;
};

export function createOutcomeWriter(database: Database): OutcomeWriter {
  const batch = { maxItems: 256, maxWaiting: 1_000_000, isItemFault: (error: unknown) => !isUnavailable(error) };
  const outcomes = createGroupCommit({
    ...batch,
    writers: 2,
    commit: async (moves: readonly Move[]) => {
      const moved = new Set((await moveMessages(database.pool, moves)).map((move) => move.id));
      return moves.map((move) => moved.has(move.id));
    },
  });
  // One writer: two receipts of one message keep their order.
  const reports = createGroupCommit({
    ...batch,
    writers: 1,
    commit: (items: readonly NetworkReport[]) => writeReports(database, items),
  });
  return {
    answered: (id, epoch, outcome) => outcomes.submit(moveOfOutcome(id, epoch, outcome)),
    reported: (report) => reports.submit(report),
  };
}

/**
 * Makes a message `unknown` that had all its tries, or whose time ran out while it had no answer. Only from the
 * epoch that it was read under, and only for the present holder of the lease.
 */
export async function giveUp(
  database: Database,
  holder: Holder,
  message: { readonly id: MessageId; readonly epoch: bigint },
): Promise<boolean> {
  const moved = await writeMoves(
    database.pool,
    'give-up-messages',
    `SELECT m.id, 'unknown', 'no_answer', m.epoch, NULL::bigint FROM messages m
     JOIN device_leases l ON l.device_id = m.device_id
     WHERE m.id = $1 AND m.epoch = $2 AND l.owner = $3 AND l.epoch = $4 AND l.expires_at > now()
       AND (m.unanswered + 1 >= ${limits.maxUnansweredAttempts} OR m.expires_at <= now())`,
    [message.id, message.epoch, holder.owner, holder.epoch],
  );
  return moved.length > 0;
}
