/** The database's record: every message with its moves, the quotas, and the leases from the trigger's log. */
import type { MessageStatus } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import { type LeaseChange, readLeaseLog } from './lease-log.js';

export type Row = {
  readonly id: string;
  readonly ref: string;
  readonly accountId: string;
  readonly deviceId: string;
  readonly recipient: string;
  readonly networkMessageId: string;
  readonly status: MessageStatus;
  readonly reason: string | null;
  readonly expiresAt: number | null;
  readonly unanswered: number;
  readonly moves: readonly Move[];
};

export type Move = { readonly status: MessageStatus; readonly at: number };

export type Period = { readonly accountId: string; readonly taken: number; readonly owed: number };

/** The limits that the owner of a device set; null for no limit. */
export type DeviceLimits = {
  readonly pacePerMinute: number | null;
  readonly paceJitterMs: number;
  readonly newContactsPerDay: number | null;
};

export type DatabaseRecord = {
  readonly rows: readonly Row[];
  readonly periods: readonly Period[];
  readonly leases: ReadonlyMap<string, readonly LeaseChange[]>;
  /** By device. */
  readonly limits: ReadonlyMap<string, DeviceLimits>;
};

type MessageRow = {
  id: string;
  client_ref: string | null;
  account_id: string;
  device_id: string;
  recipient: string;
  network_message_id: string;
  status: MessageStatus;
  reason: string | null;
  expires_at: Date | null;
  unanswered: number;
  seq: bigint;
  moves: { s: MessageStatus; at: number }[] | null;
};

const pageSize = 20_000;

async function* readRows({ pool }: Database): AsyncGenerator<Row> {
  for (let after = 0n; ; ) {
    const { rows } = await pool.query<MessageRow>(
      `SELECT m.id, client_ref, account_id, device_id, recipient, network_message_id, m.status, m.reason, expires_at,
              unanswered, seq,
              (SELECT json_agg(json_build_object('s', e.status, 'at', extract(epoch FROM e.at) * 1000) ORDER BY e.ordinal)
               FROM message_events e WHERE e.message_id = m.id) AS moves
       FROM messages m WHERE seq > $1 ORDER BY seq LIMIT ${pageSize}`,
      [after],
    );
    for (const row of rows) {
      after = row.seq;
      yield {
        id: row.id,
        ref: row.client_ref ?? '',
        accountId: row.account_id,
        deviceId: row.device_id,
        recipient: row.recipient,
        networkMessageId: row.network_message_id,
        status: row.status,
        reason: row.reason,
        expiresAt: row.expires_at?.getTime() ?? null,
        unanswered: row.unanswered,
        moves: (row.moves ?? []).map(({ s, at }) => ({ status: s, at })),
      };
    }
    if (rows.length < pageSize) return;
  }
}

/** The number of messages that each period has taken, and the number that its messages must have taken. */
async function readPeriods({ pool }: Database): Promise<Period[]> {
  const { rows } = await pool.query<{ account_id: string; taken: number; owed: number }>(
    `SELECT p.account_id, p.taken_quota AS taken, (
       SELECT count(*)::int FROM messages m
       WHERE m.period_id = p.id AND m.status NOT IN ('failed', 'expired', 'cancelled')) AS owed
     FROM subscription_periods p`,
  );
  return rows.map((row) => ({ accountId: row.account_id, taken: row.taken, owed: row.owed }));
}

async function readLimits({ pool }: Database): Promise<Map<string, DeviceLimits>> {
  const { rows } = await pool.query<DeviceLimits & { id: string }>(
    'SELECT id, pace_per_minute AS "pacePerMinute", pace_jitter_ms AS "paceJitterMs", new_contacts_per_day AS "newContactsPerDay" FROM devices',
  );
  return new Map(rows.map(({ id, ...limits }) => [id, limits]));
}

export async function readDatabaseRecord(database: Database): Promise<DatabaseRecord> {
  const rows: Row[] = [];
  for await (const row of readRows(database)) rows.push(row);
  const [periods, leases, limits] = await Promise.all([
    readPeriods(database),
    readLeaseLog(database),
    readLimits(database),
  ]);
  return { rows, periods, leases, limits };
}
