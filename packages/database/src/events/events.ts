/**
 * The log of events. Rows are only added, in the statement that makes the change. Many statements change devices and
 * accounts, so triggers write their events. The statements of messages write their own.
 *
 * The order is (generation, xid, seq); `xid` is the id of the transaction. Numbers are drawn before the commit, so a
 * later number may become visible first. So a reader sees only events below the oldest transaction that still runs, and
 * misses none. This order is not causal: a transaction may get its id and then wait for a row. So each event also has a
 * `sequence` within its subject, without gaps. Events that only live pages and notices use have none.
 *
 * A generation begins with a restored backup (`restore_number`) or a failover (Postgres' timeline): ids of transactions
 * restart.
 */
import { type AccountId, type DeviceId, isMessageEventType, type MessageId } from '@kurir/contracts';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';

type Subject =
  | 'message'
  | 'contact'
  | 'device'
  | 'account'
  | 'quota'
  | 'plan'
  | 'renewal'
  | 'broadcast'
  | 'webhook'
  | 'member'
  | 'notice';
export type EventKind = `${Subject}.${string}`;

export type EventPosition = { readonly generation: bigint; readonly xid: bigint; readonly seq: bigint };

export type LoggedEvent = {
  readonly position: EventPosition;
  readonly accountId: AccountId;
  readonly deviceId: DeviceId | null;
  /** The id of a message, a conversation, a device, a renewal, a broadcast, a webhook or the account. */
  readonly subjectId: string;
  /** From 1 for each subject. Null for events that only live pages and notices use. */
  readonly sequence: number | null;
  readonly kind: EventKind;
  /**
   * The new state of a device. For the account: the percentage of its quota, or the days that its plan has left. For a
   * webhook: the reason. For a conversation: the id of the inbound message. For a broadcast: its new state.
   */
  readonly state: string | null;
  readonly reason: string | null;
  /** The end of the wait or of the restriction that the event began. */
  readonly until: Date | null;
  readonly at: Date;
};

export type EventPage = {
  /** In the order of the log. */
  readonly events: readonly LoggedEvent[];
  /** The position to continue from: all earlier events of these accounts are in this page or an earlier one. */
  readonly next: EventPosition;
  /** The log has more events than `limit`. */
  readonly hasMore: boolean;
  /** The generation in which the page was read. Its events may be of earlier ones. */
  readonly readIn: bigint;
};

/** A row of `eventColumns`. */
export type StoredEvent = {
  xid: string;
  seq: bigint;
  event_generation: bigint;
  account_id: AccountId;
  device_id: DeviceId | null;
  subject_id: string;
  sequence: number | null;
  kind: EventKind;
  state: string | null;
  reason: string | null;
  until: Date | null;
  at: Date;
};

/** A row of `logEnd` beside one of `eventColumns`. */
export type EventRow = Omit<StoredEvent, 'xid'> & {
  generation: bigint;
  horizon: string;
  /** Null in the only row of a page without events. */
  xid: string | null;
};

const greatestSeq = 2n ** 63n - 1n;

/** The position after each event of any transaction below the horizon. */
export const endOf = ({ generation, horizon }: Pick<EventRow, 'generation' | 'horizon'>): EventPosition => ({
  generation,
  xid: BigInt(horizon) - 1n,
  seq: greatestSeq,
});

/** SQL: the present generation, and the oldest transaction that still runs. A reader sees only events below it. */
export const logEnd = `SELECT event_generation() AS generation, pg_snapshot_xmin(pg_current_snapshot()) AS horizon`;

/** SQL: the columns of `EventRow` that an event `e` fills. */
export const eventColumns = `e.generation AS event_generation, e.xid, e.seq, e.account_id, e.device_id, e.subject_id, e.sequence,
  e.kind, e.state, e.reason, e.until, e.at`;

/** The present end of the log. A reader that starts here gets later events only. */
export async function readEndOfLog({ pool }: Database): Promise<EventPosition> {
  const { rows } = await pool.query<Pick<EventRow, 'generation' | 'horizon'>>({
    name: 'read-end-of-log',
    text: logEnd,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a row');
  return endOf(row);
}

export const eventOf = (row: StoredEvent): LoggedEvent => ({
  position: { generation: row.event_generation, xid: BigInt(row.xid), seq: row.seq },
  accountId: row.account_id,
  deviceId: row.device_id,
  subjectId: row.subject_id,
  sequence: row.sequence,
  kind: row.kind,
  state: row.state,
  reason: row.reason,
  until: row.until,
  at: row.at,
});

/** Events of the accounts after a position, at most `limit`. */
export async function readEvents(
  { pool }: Database,
  accountIds: readonly AccountId[],
  after: EventPosition,
  limit: number,
): Promise<EventPage> {
  const { rows } = await pool.query<EventRow>({
    name: 'read-events',
    text: `WITH here AS MATERIALIZED (${logEnd}),
           found AS (
             SELECT e.* FROM here, unnest($1::text[]) AS asked (account_id) CROSS JOIN LATERAL (
               SELECT ${eventColumns} FROM events e
               WHERE e.account_id = asked.account_id AND (e.generation, e.xid, e.seq) > ($2::bigint, $3::xid8, $4::bigint)
                 AND (e.generation < here.generation OR e.xid < here.horizon)
               ORDER BY e.generation, e.xid, e.seq LIMIT $5 + 1) e)
           SELECT here.generation, here.horizon::text AS horizon, found.* FROM here LEFT JOIN found ON true
           ORDER BY event_generation, xid, seq LIMIT $5 + 1`,
    values: [accountIds, after.generation, String(after.xid), after.seq, limit],
  });
  const [first] = rows;
  if (first === undefined) throw new Error('a left join without a row');
  const isEvent = (row: EventRow): row is EventRow & { xid: string } => row.xid !== null;
  const events = rows.filter(isEvent).slice(0, limit).map(eventOf);
  const hasMore = rows.length > limit;
  const last = events.at(-1);
  const next = hasMore && last !== undefined ? last.position : endOf(first);
  return { events, hasMore, next, readIn: first.generation };
}

/**
 * Returns true if the log may have lost events that a reader saw up to this position. Then the reader got the position in
 * another generation, or it is ahead of the log.
 */
export async function isLost(
  { pool }: Database,
  { generation, xid }: EventPosition,
  readIn: bigint = generation,
): Promise<boolean> {
  const { rows } = await pool.query<{ lost: boolean }>({
    name: 'is-position-lost',
    text: `WITH here AS MATERIALIZED (${logEnd})
           SELECT $3::bigint <> generation OR $1::bigint > generation
             OR ($1::bigint = generation AND $2::xid8 >= horizon) AS lost FROM here`,
    values: [generation, String(xid), readIn],
  });
  return rows[0]?.lost === true;
}

/**
 * Begins a generation if the database was restored into another cluster. Each process calls it when it starts. Returns
 * true if one began.
 */
export async function noteCluster({ pool }: Database): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE event_log SET restore_number = restore_number + 1, system_identifier = cluster.system_identifier
     FROM pg_control_system() cluster WHERE event_log.system_identifier <> cluster.system_identifier`,
  );
  return rowCount === 1;
}

/** Begins a generation after an operator restored a backup into the same cluster. */
export async function noteRestore({ pool }: Database, audit?: Audit): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query('UPDATE event_log SET restore_number = restore_number + 1');
    if (audit !== undefined) await noteAudit(client, audit, null);
  });
}

/** A position as text, for readers to store. */
export const nameOfPosition = ({ generation, xid, seq }: EventPosition): string =>
  [generation, xid, seq].map((part) => part.toString(36)).join('-');

const partPattern = /^[0-9a-z]{1,13}$/;

/** Returns null if the text is no number of base 36, or too great for Postgres. */
export function parsePart(text: string): bigint | null {
  if (!partPattern.test(text)) return null;
  const value = [...text].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  return value <= greatestSeq ? value : null;
}

/** Returns null if the text is not a position. */
export function parsePosition(name: string): EventPosition | null {
  const [generation, xid, seq, ...rest] = name.split('-').map(parsePart);
  if (rest.length > 0 || generation === undefined || xid === undefined || seq === undefined) return null;
  return generation === null || xid === null || seq === null ? null : { generation, xid, seq };
}

const isMessageEvent = ({ kind }: LoggedEvent): boolean => isMessageEventType(kind);

/** The messages of these events. Each appears once, in the order of its last event. */
export function messagesOf(events: readonly LoggedEvent[]): ReadonlyMap<MessageId, EventPosition> {
  const last = new Map<MessageId, EventPosition>();
  for (const { subjectId, position } of events.filter(isMessageEvent)) {
    // The subject of a message's event is the message's id.
    const id = subjectId as MessageId;
    last.delete(id);
    last.set(id, position);
  }
  return last;
}
