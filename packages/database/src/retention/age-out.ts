/**
 * Forgets what nobody needs any more. That is contacts without traffic, and the numbers of devices that were unlinked long
 * ago. It is also ended sessions, expired links and invitations, kept mails, old versions of the web client, and addresses
 * in the audit log. Several workers may run it at once; a second run finds nothing left.
 */
import { limits } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { runInBatches } from '../postgres/chores/run-in-batches.js';
import { forgetOwnNumbers } from './forget-own-numbers.js';

const contactsAtOnce = 2_000;

type Looked = { looked: number; device: string | null; recipient: string | null; deleted: number };

/**
 * A forgotten contact counts as a new one again. The limits of new contacts look back for 24 hours only, so a contact
 * without traffic for `keptDays` is not needed for them. An erased number that still counts goes after these 24 hours.
 */
export function ageOutContacts({ pool }: Database, keptDays: number, signal: AbortSignal): Promise<number> {
  let after: [device: string, recipient: string] = ['', ''];
  return runInBatches(async () => {
    const { rows } = await pool.query<Looked>({
      name: 'age-out-contacts',
      text: `WITH looked AS MATERIALIZED (
               SELECT device_id, recipient FROM device_contacts WHERE (device_id, recipient) > ($1, $2)
               ORDER BY device_id, recipient LIMIT ${contactsAtOnce}),
             gone AS (
               DELETE FROM device_contacts c USING looked l WHERE c.device_id = l.device_id AND c.recipient = l.recipient
                 AND (c.seen_at < now() - make_interval(days => $3)
                   OR (c.recipient LIKE 'erased %' AND c.wrote_at < now() - interval '24 hours')
                   OR NOT EXISTS (SELECT 1 FROM devices d WHERE d.id = c.device_id))
               RETURNING 1),
             last AS (SELECT device_id, recipient FROM looked ORDER BY device_id DESC, recipient DESC LIMIT 1)
             SELECT (SELECT count(*)::int FROM looked) AS looked, (SELECT count(*)::int FROM gone) AS deleted,
               (SELECT device_id FROM last) AS device, (SELECT recipient FROM last) AS recipient`,
      values: [...after, keptDays],
    });
    const { looked, device, recipient, deleted } = rows[0] ?? { looked: 0, device: null, recipient: null, deleted: 0 };
    if (device !== null && recipient !== null) after = [device, recipient];
    return { deleted, isLast: looked < contactsAtOnce };
  }, signal);
}

/** A person who links the same number again within this time keeps the contacts and the health of the number. */
const unlinkedDays = 30;

/** Forgets the number of each device that was unlinked long ago, with the contacts and the health of the number. */
export const ageOutUnlinked = (database: Database): Promise<number> =>
  forgetOwnNumbers(
    database,
    `NOT d.linked AND d.desired_state = 'unlinked' AND d.phone_number IS NOT NULL AND d.deleted_at IS NULL
       AND d.state_at < now() - interval '${unlinkedDays} days'`,
  );

const rowsAtOnce = 1_000;

/** By table, the rows that go. A session ends within a day of its beginning. */
const old = {
  sessions: `expires_at < now() - interval '1 day' OR created_at < now() - interval '2 days'`,
  verifications: `expires_at < now() - interval '1 day'`,
  invitations: `expires_at < now() - interval '1 day'`,
  known_browsers: `last_used_at < now() - interval '181 days'`,
  audit_addresses: `at < now() - interval '${limits.auditAddressDays} days'`,
  notices: `created_at < now() - interval '30 days'`,
  kept_mails: `created_at < now() - interval '7 days'`,
  whatsapp_versions: `source <> 'setting' AND greatest(first_seen_at, said_at) < now() - interval '400 days'`,
} as const;

/** Returns how many rows went. */
export async function ageOutSmallTables({ pool }: Database, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  for (const [table, isOld] of Object.entries(old))
    deleted += await runInBatches(async () => {
      const { rowCount } = await pool.query({
        name: `age-out-${table}`,
        text: `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${isOld} LIMIT ${rowsAtOnce}))`,
      });
      return { deleted: rowCount ?? 0, isLast: (rowCount ?? 0) < rowsAtOnce };
    }, signal);
  return deleted;
}
