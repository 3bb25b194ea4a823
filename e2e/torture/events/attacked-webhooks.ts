/** The webhooks of the accounts under attack. Each asks for all types, so that a check can compare every event. */
import { createSealer, type Database } from '@kurir/database';
import { createWebhook } from '@kurir/database/webhooks';
import { eventTypeNames } from '@kurir/contracts';
import { makeWebhookSecret, parseKey } from '@kurir/signing';
import type { AttackedAccount } from '../processes/attacked-accounts.js';

export type AttackedWebhook = { readonly account: number; readonly mode: 'parallel' | 'ordered' };

export const attackedWebhooks: readonly AttackedWebhook[] = [
  { account: 0, mode: 'parallel' },
  { account: 1, mode: 'ordered' },
  { account: 2, mode: 'ordered' },
];

/** Creates the webhooks. Those of an interrupted run get their new addresses. */
export async function openAttackedWebhooks(
  database: Database,
  masterKey: string,
  accounts: readonly AttackedAccount[],
  urls: ReadonlyMap<number, string>,
): Promise<void> {
  const sealer = createSealer(parseKey(masterKey));
  for (const { account, mode } of attackedWebhooks) {
    const [accountId, url] = [accounts[account]?.accountId, urls.get(account)];
    if (accountId === undefined || url === undefined) throw new Error(`there is no account ${account}`);
    const { rowCount } = await database.pool.query(
      'UPDATE webhooks SET url = $2, version = version + 1 WHERE account_id = $1',
      [accountId, url],
    );
    if (rowCount !== 0) continue;
    const webhook = { accountId, url, description: '', types: eventTypeNames, deviceIds: [], mode, maxPerSecond: null };
    await createWebhook(database, sealer, { ...webhook, secret: makeWebhookSecret() });
  }
}

/** A webhook that is only probed is probed now, as after a ping. Its next probe may come too late for the run. */
const probeNowStatement = `
  WITH due AS (
    UPDATE webhook_readers SET probe_at = now() WHERE probes > 0 AND probe_at > now() + interval '5 seconds' RETURNING webhook_id)
  UPDATE webhooks w SET version = w.version + 1 FROM due WHERE w.id = due.webhook_id`;

/** Makes the waiting events due, again and again, until each webhook took all of them. */
export async function settleWebhooks({ pool }: Database, tell: (waiting: number) => void): Promise<boolean> {
  await pool.query(probeNowStatement);
  const { rows } = await pool.query<{ waiting: number; behind: number }>(
    `WITH due AS (UPDATE webhook_retries SET due_at = now() WHERE failed_at IS NULL RETURNING 1)
     SELECT (SELECT count(*)::int FROM due) AS waiting,
       (SELECT count(*)::int FROM webhook_readers r JOIN webhooks w ON w.id = r.webhook_id WHERE EXISTS (
          SELECT 1 FROM events e WHERE e.account_id = w.account_id AND e.sequence IS NOT NULL
            AND e.kind = ANY (w.types) AND (e.generation, e.xid, e.seq) > (r.generation, r.xid, r.seq))) AS behind`,
  );
  const [row] = rows;
  tell((row?.waiting ?? 0) + (row?.behind ?? 0));
  return row?.waiting === 0 && row.behind === 0;
}
