/**
 * Steps 7 and 8: writes outcomes of tries, acknowledgements and receipts as moves. Few statements write many of them;
 * each caller waits for the commit of its own.
 */
import type { DeviceId, MessageReason } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { createGroupCommit } from '../postgres/group-commit.js';
import { triesAreOver } from '../recipients/recipient-hours.js';
import type { LeaseToken } from '../sessions/lease-token.js';
import { type ClaimedMessage, hadAllTries, type StandingMessage } from './claim-message.js';
import { knownAs } from './network-message-id.js';
import { type Move, type Moved, moveColumns, moveMessages, reportedStatuses, writeMoves } from './write-status.js';

export type TryOutcome =
  | { readonly kind: 'sent' }
  /** Nothing reached the network. The message keeps its place. */
  | { readonly kind: 'not-written' }
  | { readonly kind: 'not-sent'; readonly permanent: true; readonly reason: MessageReason }
  | {
      readonly kind: 'not-sent';
      readonly permanent: false;
      readonly reason: MessageReason;
      readonly retryAfterMs: number;
    };

/**
 * The move for the outcome of a try. An acknowledgement always counts; a refusal counts only for the last try of the
 * present owner.
 */
function moveOfOutcome({ id, attempts }: Try, ownerEpoch: bigint, outcome: TryOutcome): Move {
  if (outcome.kind === 'sent') return { id, to: 'sent' };
  if (outcome.kind === 'not-written') return { id, to: 'queued', ownerEpoch, attempt: attempts };
  const ofTry = { id, reason: outcome.reason, ownerEpoch, attempt: attempts };
  return outcome.permanent ? { ...ofTry, to: 'failed' } : { ...ofTry, to: 'queued', holdMs: outcome.retryAfterMs };
}

export type NetworkReport = {
  readonly deviceId: DeviceId;
  readonly networkMessageId: string;
  readonly status: 'sent' | 'delivered' | 'read';
};

const reportedMoves = `SELECT ${moveColumns({ id: 'm.id', to: 't.status' })}
  FROM unnest($1::text[], $2::text[], $3::text[]) AS t (device_id, network_message_id, status)
  CROSS JOIN LATERAL (
    ${knownAs('t.network_message_id', { columns: 'm.id', deviceId: 't.device_id' })}) m`;

const keyOf = ({ deviceId, networkMessageId }: NetworkReport) => `${deviceId} ${networkMessageId}`;
const rankOf = ({ status }: NetworkReport) => reportedStatuses.indexOf(status);

/** The furthest report about each message. It implies the others. */
function furthestOf(reports: readonly NetworkReport[]): NetworkReport[] {
  const furthest = new Map<string, NetworkReport>();
  for (const report of reports) {
    const other = furthest.get(keyOf(report));
    if (other === undefined || rankOf(other) < rankOf(report)) furthest.set(keyOf(report), report);
  }
  return [...furthest.values()];
}

/** A message that a report moved. */
export type ReportedMessage = Pick<Moved, 'id' | 'traceparent'>;

/**
 * Returns the messages that moved, by their network's ids. A report about a message that we never sent finds none;
 * another device of the account may have sent it.
 */
async function writeReports(
  database: Database,
  reports: readonly NetworkReport[],
): Promise<ReadonlyMap<string, ReportedMessage>> {
  const furthest = furthestOf(reports);
  const moved = await writeMoves(database.pool, 'move-reported', reportedMoves, [
    furthest.map(({ deviceId }) => deviceId),
    furthest.map(({ networkMessageId }) => networkMessageId),
    furthest.map(({ status }) => status),
  ]);
  return new Map(moved.map((message) => [message.networkMessageId, message]));
}

/** A message and the number of the try. */
export type Try = Pick<ClaimedMessage, 'id' | 'attempts'>;

export type OutcomeWriter = {
  /** Commits the outcome of a try. Returns true if the message moved. */
  answered(tried: Try, epoch: bigint, outcome: TryOutcome): Promise<boolean>;
  /** Commits an acknowledgement or a receipt. Returns the message, or null if it did not move. */
  reported(report: NetworkReport): Promise<ReportedMessage | null>;
  /** Resolves when nothing waits to be written. */
  idle(): Promise<void>;
};

/**
 * Receipts may wait this long, because only our acknowledgement to the network waits for them. Receipts of one message
 * that share a commit cost one write of its row.
 */
const reportsEveryMs = 50;

/** `onMoved` runs after each batch that moved a message, so that live pages update at once. It must not throw. */
export function createOutcomeWriter(database: Database, onMoved: () => void = () => undefined): OutcomeWriter {
  const batch = { maxWaiting: 1_000_000, isItemFault: (error: unknown) => !isUnavailable(error) };
  const outcomes = createGroupCommit({
    ...batch,
    maxItems: 256,
    writers: 2,
    everyMs: 3,
    commit: async (moves: readonly Move[]) => {
      const ids = new Set((await moveMessages(database.pool, moves)).map((move) => move.id));
      if (ids.size > 0) onMoved();
      return moves.map((move) => ids.has(move.id));
    },
  });
  const reports = createGroupCommit({
    ...batch,
    maxItems: 4_096,
    writers: 1,
    everyMs: reportsEveryMs,
    commit: async (items: readonly NetworkReport[]) => {
      const moved = await writeReports(database, items);
      if (moved.size > 0) onMoved();
      return items.map(({ networkMessageId }) => moved.get(networkMessageId) ?? null);
    },
  });
  return {
    answered: (tried, epoch, outcome) => outcomes.submit(moveOfOutcome(tried, epoch, outcome)),
    reported: (report) => reports.submit(report),
    async idle() {
      await Promise.all([outcomes.idle(), reports.idle()]);
    },
  };
}

/** Commits the outcome of a try; returns true if the message moved. */
export function reportOutcome(
  writer: Pick<OutcomeWriter, 'answered'>,
  tried: Try,
  epoch: bigint,
  outcome: TryOutcome,
): Promise<boolean> {
  return writer.answered(tried, epoch, outcome);
}

/**
 * Commits an acknowledgement or a receipt. Only then may the worker acknowledge it to the network. Returns the message,
 * or null if it did not move.
 */
export function reportReceipt(
  writer: Pick<OutcomeWriter, 'reported'>,
  report: NetworkReport,
): Promise<ReportedMessage | null> {
  return writer.reported(report);
}

/**
 * Makes a message `unknown` if it had all its tries, or if it expired without an answer, or if its hours are over. An
 * untried one waits for its next hours instead. Does nothing if its last try is not `attempts`, or if `token` no longer
 * holds the lease. Returns true if the message moved.
 */
export async function giveUp(
  database: Database,
  token: LeaseToken,
  { id, epoch, attempts, untried }: StandingMessage,
): Promise<boolean> {
  const moved = await writeMoves(
    database.pool,
    'give-up-messages',
    `SELECT ${moveColumns({ id: 'm.id', to: '$6::text', reason: '$7::text', ownerEpoch: 'm.epoch', attempt: 'm.attempts' })} FROM messages m
     JOIN device_leases l ON l.device_id = m.device_id
     WHERE m.id = $1 AND m.epoch = $2 AND m.attempts = $3 AND l.owner = $4 AND l.epoch = $5 AND l.expires_at > now()
       AND (${triesAreOver} OR ($6::text = 'unknown' AND (${hadAllTries} OR m.expires_at <= now())))`,
    [id, epoch, attempts, token.owner, token.epoch, ...(untried ? ['queued', null] : ['unknown', 'no_answer'])],
  );
  return moved.length > 0;
}
