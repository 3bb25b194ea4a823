/** The accounts as an operator sees them. */
import type { AccountId } from '@kurir/contracts';
import { shownState } from '../devices/device-condition.js';
import type { Database } from '../postgres/connect.js';

export type AccountOverviewRow = {
  readonly id: AccountId;
  readonly name: string;
  readonly createdAt: Date;
  readonly members: number;
  readonly devices: number;
  readonly connectedDevices: number;
  readonly plan: string | null;
  readonly expiresAt: Date | null;
  readonly messages24h: number;
  /** Both null: the account is not suspended. */
  readonly suspendedAt: Date | null;
  readonly suspendedReason: string | null;
};

/**
 * Newest first. `search` is an id, part of a name, or part of a member's address. With `accountId`, only that account.
 */
export async function listAccountOverviews(
  database: Database,
  filter: {
    readonly search: string | null;
    readonly limit: number;
    readonly cursor: string | null;
    readonly accountId?: string;
  },
): Promise<{ readonly rows: AccountOverviewRow[]; readonly nextCursor: string | null }> {
  const { rows } = await database.lists.query<AccountOverviewRow>(
    `SELECT a.id, a.name, a.created_at AS "createdAt", a.suspended_at AS "suspendedAt", a.suspended_reason AS "suspendedReason",
       (SELECT count(*)::int FROM members WHERE account_id = a.id) AS members, held.devices,
       held.connected AS "connectedDevices", p.plan_name AS plan, p.ends_at AS "expiresAt",
       (SELECT count(*)::int FROM (SELECT 1 FROM messages m WHERE m.account_id = a.id AND m.created_at > now() - interval '24 hours'
          LIMIT 1000000) lately) AS "messages24h"
     FROM accounts a
     CROSS JOIN LATERAL (SELECT count(*)::int AS devices, count(*) FILTER (WHERE ${shownState} = 'connected')::int AS connected
       FROM devices d JOIN device_leases l ON l.device_id = d.id WHERE d.account_id = a.id) held
     LEFT JOIN LATERAL (SELECT plan_name, ends_at FROM subscription_periods WHERE account_id = a.id
       ORDER BY ends_at DESC LIMIT 1) p ON true
     WHERE a.erasure_begun_at IS NULL AND ($1::text IS NULL OR a.id = $1 OR strpos(lower(a.name), lower($1)) > 0 OR EXISTS (
             SELECT 1 FROM members m JOIN users u ON u.id = m.user_id
             WHERE m.account_id = a.id AND strpos(lower(u.email), lower($1)) > 0))
       AND ($2::text IS NULL OR a.id < $2) AND ($4::text IS NULL OR a.id = $4)
     ORDER BY a.id DESC LIMIT $3 + 1`,
    [filter.search, filter.cursor, filter.limit, filter.accountId ?? null],
  );
  const shown = rows.slice(0, filter.limit);
  return { rows: shown, nextCursor: rows.length > filter.limit ? (shown.at(-1)?.id ?? null) : null };
}
