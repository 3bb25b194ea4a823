/**
 * What the network said, as moves: outcomes of tries by the present owner, acknowledgements and receipts from
 * anywhere. All of them are gathered into few statements; each caller learns when its own is committed.
 */
import type { DeviceId, MessageId, MessageReason } from '@kurir/contracts';
import { limits, messageMoves } from '@kurir/contracts';
import { type Database, isUnavailable } from './connect.js';
import type { ClaimedMessage, Holder, SendingMessage } from './claim-message.js';
import { createGroupCommit } from './group-commit.js';
import { isKnownAs } from './network-message-id.js';
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

/** Reports of one message, in the order in which they came, each one a move that may follow the one before. */
type Advance = readonly [NetworkReport, ...NetworkReport[]];

const keyOf = ({ deviceId, networkMessageId }: NetworkReport) => `${deviceId} ${networkMessageId}`;

/** What came together for a message is one step of it as far as it leads onward; a repeat begins a step of its own. */
function advancesOf(reports: readonly NetworkReport[]): Advance[] {
  const advances: [NetworkReport, ...NetworkReport[]][] = [];
  const latest = new Map<string, [NetworkReport, ...NetworkReport[]]>();
  for (const report of reports) {
    const advance = latest.get(keyOf(report));
    const before = advance?.at(-1);
    if (advance !== undefined && before !== undefined && messageMoves[before.status].includes(report.status)) {
      advance.push(report);
      continue;
    }
    const next: [NetworkReport] = [report];
    advances.push(next);
    latest.set(keyOf(report), next);
  }
  return advances;
}

const reportedMoves = `SELECT m.id, t.status, NULL::text, NULL::bigint, NULL::bigint, string_to_array(t.onward, ','), NULL::xid
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS t (device_id, network_message_id, status, onward)
  CROSS JOIN LATERAL (
    SELECT m.id FROM messages m WHERE m.device_id = t.device_id AND ${isKnownAs('t.network_message_id')} LIMIT 1) m`;

/** One of each message. Answers those that moved. A report about a message that we never sent (another companion's) has no row. */
async function writeRound(database: Database, round: readonly Advance[]): Promise<Advance[]> {
  const rows = await writeMoves(database.pool, 'move-reported', reportedMoves, [
    round.map(([first]) => first.deviceId),
    round.map(([first]) => first.networkMessageId),
    round.map(([first]) => first.status),
    round.map(([, ...onward]) => (onward.length === 0 ? null : onward.map(({ status }) => status).join(','))),
  ]);
  const moved = new Set(rows.map((row) => row.networkMessageId));
  return round.filter(([first]) => moved.has(first.networkMessageId));
}

/** Where a message stands further on than an advance begins, the advance's steps are tried one by one. */
async function writeReports(database: Database, reports: readonly NetworkReport[]): Promise<boolean[]> {
  const moved = new Set<NetworkReport>();
  for (const round of roundsOf(advancesOf(reports), ([first]) => keyOf(first))) {
    for (const advance of await writeRound(database, round)) for (const report of advance) moved.add(report);
    const missed = round.filter((advance) => advance.length > 1 && !moved.has(advance[0])).flat();
    for (const steps of roundsOf(missed, keyOf))
      for (const [report] of await writeRound(
        database,
        steps.map((step): Advance => [step]),
      ))
        moved.add(report);
  }
  return reports.map((report) => moved.has(report));
}

type AnsweredMessage = Pick<ClaimedMessage, 'id' | 'networkMessageId'>;

export type OutcomeWriter = {
  /** Commits what a try brought; true when the message moved. */
  answered(message: AnsweredMessage, epoch: bigint, outcome: TryOutcome): Promise<boolean>;
  /**
   * What was claimed and not given to the network waits as if it had not been claimed: where the claim is still the present owner's, and
   * nobody has written the message since, so that a hand back that is carried out late undoes no later claim. All of them in one statement: of
   * two for the same recipient the later one, left in `sending` by a crash, would be sent first.
   */
  handBack(epoch: bigint, messages: readonly SendingMessage[]): Promise<void>;
  /** Commits an acknowledgement or receipt, after an answer of its message that is being stored; true when the message moved. */
  reported(report: NetworkReport): Promise<boolean>;
  /** Resolves once all that was given is written or refused. */
  idle(): Promise<void>;
};

/** Only the word to the network that we have it waits for a receipt; those of one message that share a commit cost one write of it. */
const reportsEveryMs = 50;

/** `onMoved`: after each batch in which a message moved, so that live pages need not wait a second; must not throw. */
export function createOutcomeWriter(database: Database, onMoved: () => void = () => undefined): OutcomeWriter {
  const batch = { maxItems: 256, maxWaiting: 1_000_000, isItemFault: (error: unknown) => !isUnavailable(error) };
  const outcomes = createGroupCommit({
    ...batch,
    writers: 2,
    spaced: true,
    commit: async (moves: readonly Move[]) => {
      const ids = new Set((await moveMessages(database.pool, moves)).map((move) => move.id));
      if (ids.size > 0) onMoved();
      return moves.map((move) => ids.has(move.id));
    },
  });
  const handBacks = createGroupCommit({
    ...batch,
    writers: 2,
    spaced: true,
    commit: async (lists: readonly (readonly Move[])[]) => {
      if ((await moveMessages(database.pool, lists.flat())).length > 0) onMoved();
      return lists.map(() => undefined);
    },
  });
  // By network message id, how many answers of it are being stored. Its receipts wait for them: else `sent` would have no place in its timeline,
  // and two statements with messages in common, in other orders, are a deadlock, which takes Postgres a second to see. An answer that comes while
  // its receipt is being written finds the message further on; a deadlock of the two is tried again (`writeMoves`).
  const beingAnswered = new Map<string, number>();
  // Two groups: one's batch is read and written while Postgres has the other's. Each has one writer, so that a message's receipts keep their order.
  const openReports = () =>
    createGroupCommit({
      ...batch,
      maxItems: 4_096,
      writers: 1,
      restMs: (tookMs) => reportsEveryMs - tookMs,
      isHeld: ({ networkMessageId }: NetworkReport) => beingAnswered.has(networkMessageId),
      commit: async (items: readonly NetworkReport[]) => {
        const haveMoved = await writeReports(database, items);
        if (haveMoved.includes(true)) onMoved();
        return haveMoved;
      },
    });
  const [even, odd] = [openReports(), openReports()];
  // By the id's last digit: of the codes of 0 to 9 and A to F eight are even.
  const reportsAbout = (id: string) => (id.charCodeAt(id.length - 1) % 2 === 0 ? even : odd);

  function hold(networkMessageId: string): void {
    beingAnswered.set(networkMessageId, (beingAnswered.get(networkMessageId) ?? 0) + 1);
  }

  function release(networkMessageId: string): void {
    const answers = beingAnswered.get(networkMessageId) ?? 0;
    if (answers > 1) return void beingAnswered.set(networkMessageId, answers - 1);
    beingAnswered.delete(networkMessageId);
    reportsAbout(networkMessageId).look();
  }

  return {
    answered({ id, networkMessageId }, epoch, outcome) {
      const answered = outcomes.submit(moveOfOutcome(id, epoch, outcome));
      hold(networkMessageId);
      const over = () => release(networkMessageId);
      answered.then(over, over);
      return answered;
    },
    handBack: (epoch, messages) =>
      handBacks.submit(messages.map(({ id, version }) => ({ id, to: 'queued', ownerEpoch: epoch, version }))),
    reported: (report) => reportsAbout(report.networkMessageId).submit(report),
    async idle() {
      await Promise.all([outcomes.idle(), handBacks.idle(), even.idle(), odd.idle()]);
    },
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
    `SELECT m.id, 'unknown', 'no_answer', m.epoch, NULL::bigint, NULL::text[], NULL::xid FROM messages m
     JOIN device_leases l ON l.device_id = m.device_id
     WHERE m.id = $1 AND m.epoch = $2 AND l.owner = $3 AND l.epoch = $4 AND l.expires_at > now()
       AND (m.unanswered + 1 >= ${limits.maxUnansweredAttempts} OR m.expires_at <= now())`,
    [message.id, message.epoch, holder.owner, holder.epoch],
  );
  return moved.length > 0;
}
