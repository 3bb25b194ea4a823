/** The numbers of an account now. Nothing is written. */
import type { AccountId } from '@kurir/contracts';
import { type Backlog, countBacklog } from '../devices/device-activity.js';
import type { Database } from '../postgres/connect.js';

export type AccountNow = {
  readonly queue: Backlog;
  readonly devices: number;
  readonly connectedDevices: number;
  readonly deviceLinked: boolean;
  readonly messageSent: boolean;
  readonly keyCreated: boolean;
  readonly planChosen: boolean;
  readonly contactsAdded: boolean;
  readonly broadcastStarted: boolean;
};

type NowRow = Omit<AccountNow, 'queue'> & Backlog;

export async function readAccountNow(database: Database, accountId: AccountId): Promise<AccountNow> {
  const { rows } = await database.pool.query<NowRow>(
    `SELECT coalesce(sum(waiting.otp), 0)::int AS otp, coalesce(sum(waiting.normal), 0)::int AS normal,
            coalesce(sum(waiting.bulk), 0)::int AS bulk, coalesce(sum(waiting.scheduled), 0)::int AS scheduled,
            count(*)::int AS devices,
            count(*) FILTER (WHERE d.state = 'connected' AND l.owner IS NOT NULL AND l.expires_at > now())::int AS "connectedDevices",
            coalesce(bool_or(d.linked OR d.last_connected_at IS NOT NULL), false) AS "deviceLinked",
            EXISTS (SELECT 1 FROM messages WHERE account_id = $1) AS "messageSent",
            EXISTS (SELECT 1 FROM api_keys WHERE account_id = $1) AS "keyCreated",
            EXISTS (SELECT 1 FROM plan_choices WHERE account_id = $1) AS "planChosen",
            EXISTS (SELECT 1 FROM contacts WHERE account_id = $1) AS "contactsAdded",
            EXISTS (SELECT 1 FROM broadcasts WHERE account_id = $1 AND started_at IS NOT NULL) AS "broadcastStarted"
     FROM devices d JOIN device_leases l ON l.device_id = d.id ${countBacklog} WHERE d.account_id = $1`,
    [accountId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate without a row');
  const { otp, normal, bulk, scheduled, ...rest } = row;
  return { queue: { otp, normal, bulk, scheduled }, ...rest };
}
