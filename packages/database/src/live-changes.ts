/**
 * What changed in some accounts since a moment, for the dashboard's live pages. A transaction becomes visible later
 * than the times it writes, so who reads on begins a little before where the last reading ended and expects repeats.
 */
import type { AccountId, DeviceId, DeviceState } from '@kurir/contracts';
import type { Database } from './connect.js';
import { shownState } from './device-condition.js';
import { type MessageRow, messageColumns, type MessageView, viewsOf } from './read-messages.js';

export type LivePosition = {
  /** By the database's clock. */
  readonly at: Date;
  /** The highest sequence number that was drawn for any message then. */
  readonly seq: bigint;
};

/** Asked of the sequence and not of the messages: no index leads to their highest number, and it is asked all the time. */
export async function readLivePosition(database: Database): Promise<LivePosition> {
  const { rows } = await database.pool.query<LivePosition>({
    name: 'read-live-position',
    text: 'SELECT now() AS at, CASE WHEN is_called THEN last_value ELSE 0 END AS seq FROM messages_seq_seq',
  });
  const [position] = rows;
  if (position === undefined) throw new Error('a select without a row');
  return position;
}

export type ChangedMessage = {
  readonly accountId: AccountId;
  /** Tells one change from every other: the same change read twice has the same mark. */
  readonly mark: string;
  readonly message: MessageView;
};

type ChangeRow = MessageRow & { account_id: AccountId; mark: string };

/** Messages of the accounts that were accepted or moved since, as they are now, up to `limit`, oldest change first. */
export async function readChangedMessages(
  database: Database,
  accountIds: readonly AccountId[],
  since: LivePosition,
  limit: number,
): Promise<ChangedMessage[]> {
  const { rows } = await database.pool.query<ChangeRow>({
    name: 'read-changed-messages',
    text: `(SELECT ${messageColumns}, m.account_id, 'seq-' || m.seq AS mark FROM messages m
            WHERE m.account_id = ANY ($1::text[]) AND m.seq > $2 ORDER BY m.seq LIMIT $4)
           UNION ALL
           (SELECT ${messageColumns}, m.account_id, 'move-' || e.ordinal AS mark
            FROM message_events e JOIN messages m ON m.id = e.message_id
            WHERE e.at >= $3 AND m.account_id = ANY ($1::text[]) ORDER BY e.ordinal LIMIT $4)`,
    values: [accountIds, since.seq, since.at, limit],
  });
  const messages = await viewsOf(database, rows);
  return rows.flatMap((row, n) => {
    const message = messages[n];
    return message === undefined ? [] : [{ accountId: row.account_id, mark: row.mark, message }];
  });
}

export type DevicePrint = {
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  readonly state: DeviceState;
  /** Differs whenever something that is shown of the device does. */
  readonly print: string;
};

export async function readDevicePrints(database: Database, accountIds: readonly AccountId[]): Promise<DevicePrint[]> {
  const { rows } = await database.pool.query<DevicePrint>({
    name: 'read-device-prints',
    text: `SELECT d.account_id AS "accountId", d.id AS "deviceId", ${shownState} AS state,
                  md5(concat_ws('|', ${shownState}, d.state_reason, d.linked, d.pairing_code, d.phone_number, d.name,
                    d.pace_per_minute, d.pace_jitter_ms, d.typing_ms, d.new_contacts_per_day, d.new_contacts_automatic,
                    d.new_contacts_blocked_until,
                    d.new_chats_used, d.desired_state, d.state_detail, d.state_until, h.warning, h.warned_until)) AS print
           FROM devices d JOIN device_leases l ON l.device_id = d.id LEFT JOIN device_health h ON h.device_id = d.id
           WHERE d.account_id = ANY ($1::text[])`,
    values: [accountIds],
  });
  return rows;
}

export type AccountPrint = { readonly accountId: AccountId; readonly print: string };

/** Differs whenever the account's name, plan choice, renewals or periods do. */
export async function readAccountPrints(database: Database, accountIds: readonly AccountId[]): Promise<AccountPrint[]> {
  const { rows } = await database.pool.query<AccountPrint>({
    name: 'read-account-prints',
    text: `SELECT a.id AS "accountId", md5(concat_ws('|', a.name,
             (SELECT max(chosen_at) FROM plan_choices WHERE account_id = a.id),
             (SELECT max(created_at) FROM subscription_periods WHERE account_id = a.id),
             (SELECT string_agg(id || state, ',' ORDER BY id) FROM (
                SELECT id, state FROM renewals WHERE account_id = a.id ORDER BY created_at DESC LIMIT 5) r))) AS print
           FROM accounts a WHERE a.id = ANY ($1::text[])`,
    values: [accountIds],
  });
  return rows;
}
