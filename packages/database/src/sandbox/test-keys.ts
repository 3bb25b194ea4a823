/** The things that a test key may use: the devices of sandbox networks, and what belongs to them. */
import { type AccountId, type DeviceId, sandboxNetworks } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';

/** Also deleted ones: their messages can still be read. */
export async function readSandboxDevices({ pool }: Database, accountId: AccountId): Promise<DeviceId[]> {
  const { rows } = await pool.query<{ id: DeviceId }>({
    name: 'read-sandbox-devices',
    text: 'SELECT id FROM devices WHERE account_id = $1 AND network = ANY ($2::text[])',
    values: [accountId, sandboxNetworks],
  });
  return rows.map(({ id }) => id);
}

const isSandboxDevice = (id: string) =>
  `EXISTS (SELECT FROM devices d WHERE d.id = ${id} AND d.network = ANY ($3::text[]))`;

const usesOthers = (deviceIds: string) =>
  `EXISTS (SELECT FROM unnest(${deviceIds}) AS own (id) WHERE NOT ${isSandboxDevice('own.id')})`;

/**
 * Returns the first of the ids that names a thing of the account outside the sandbox. An id that names nothing of the
 * account is not outside: its operation refuses it. A webhook for all devices is outside, and one that still has to send an
 * event of another device. So is a broadcast that no test key made.
 */
export async function findOutsideSandbox(
  { pool }: Database,
  accountId: AccountId,
  ids: readonly string[],
): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'find-outside-sandbox',
    text: `
      SELECT t.id FROM unnest($2::text[]) AS t (id)
      WHERE CASE left(t.id, 4)
        WHEN 'dev_' THEN EXISTS (SELECT FROM devices o WHERE o.id = t.id AND o.account_id = $1 AND o.network <> ALL ($3::text[]))
        WHEN 'msg_' THEN EXISTS (SELECT FROM messages o WHERE o.id = t.id AND o.account_id = $1 AND NOT ${isSandboxDevice('o.device_id')})
        WHEN 'cnv_' THEN EXISTS (SELECT FROM conversations o WHERE o.id = t.id AND o.account_id = $1 AND NOT ${isSandboxDevice('o.device_id')})
        WHEN 'brc_' THEN EXISTS (SELECT FROM broadcasts o WHERE o.id = t.id AND o.account_id = $1 
            AND (NOT starts_with(o.created_by, 'kk_test_') OR ${usesOthers('o.device_ids')}))
        WHEN 'whk_' THEN EXISTS (
          SELECT FROM webhooks o WHERE o.id = t.id AND o.account_id = $1
            AND (cardinality(o.device_ids) = 0 OR ${usesOthers('o.device_ids')} OR EXISTS (
              SELECT FROM webhook_retries r JOIN events e ON e.account_id = $1 AND e.generation = r.generation AND e.xid = r.xid
                AND e.seq = r.seq AND e.at = r.event_at
              WHERE r.webhook_id = o.id AND e.kind <> 'webhook.ping' AND NOT ${isSandboxDevice('e.device_id')})))
        ELSE false END
      LIMIT 1`,
    values: [accountId, ids, sandboxNetworks],
  });
  return rows[0]?.id ?? null;
}
