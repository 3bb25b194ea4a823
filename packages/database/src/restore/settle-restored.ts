/**
 * Prepares a restored database for its programs. It does not know what happened after the restored moment. Messages that
 * wait in it may have gone out, and people's phones may use newer keys. Each step can run again, so a run that dies is
 * repeated as a whole.
 */
import { type AccountId, type BroadcastId, type DeviceId, networkNames } from '@kurir/contracts';
import type { Audit } from '../accounts/audit.js';
import { pauseBroadcast } from '../broadcasts/control-broadcast.js';
import { noteRestore } from '../events/events.js';
import { noteBegun } from '../messages/sweep-messages.js';
import { moveColumns, writeMoves } from '../messages/write-status.js';
import type { Database } from '../postgres/connect.js';
import { requestForgetSessions } from '../sessions/forget-sessions.js';

export type SettledRestore = {
  /** Messages that were `sending`, and are `unknown` now. */
  readonly unknown: number;
  /** Messages that waited to be sent. They may have gone out, and go out again under their old id. */
  readonly sentAgain: number;
  readonly broadcastsPaused: number;
  readonly devicesWithNewKeys: number;
};

/** No worker of before the restore may continue with its device. Its epoch may be that of the restored row. */
async function endLeases({ pool }: Database): Promise<void> {
  await pool.query('UPDATE device_leases SET owner = NULL, epoch = epoch + 1, expires_at = now()');
}

async function endSending(database: Database): Promise<number> {
  for (let total = 0; ; ) {
    const begun = await noteBegun(database, 'read-restored-sending', 'messages m WHERE m.stage = 1', []);
    if (begun.length === 0) return total;
    const source = `SELECT ${moveColumns({ id: 'id', to: `'unknown'`, reason: `'no_answer'` })} FROM unnest($1::text[]) AS t (id)`;
    const moved = await writeMoves(database.pool, 'end-restored-sending', source, [begun]);
    if (moved.length === 0) throw new Error(`${begun.length} messages are being sent and cannot be moved`);
    total += moved.length;
  }
}

const markedAtOnce = 2_000;

/** Each place has its own index. */
const waitingIn = (place: string) => `
  SELECT id FROM messages WHERE device_id = $1 AND stage = 0 AND ${place} AND unanswered = 0
    AND (send_at IS NULL OR send_at <= now())`;

/**
 * A try without an answer stands for the tries that the database does not know. So nothing reports that the message
 * did not go out, nobody cancels it, and its broadcast does not give it to another device.
 */
const markStatement = `
  UPDATE messages SET unanswered = 1 WHERE id = ANY (ARRAY(
    (${waitingIn('waits_until IS NULL')} LIMIT ${markedAtOnce}) UNION ALL (${waitingIn('waits_until IS NOT NULL')} LIMIT ${markedAtOnce})))
    AND stage = 0 AND unanswered = 0`;

async function markWaiting({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ id: DeviceId }>('SELECT id FROM devices WHERE deleted_at IS NULL ORDER BY id');
  let total = 0;
  for (const { id } of rows) {
    for (;;) {
      const { rowCount } = await pool.query({ name: 'mark-restored', text: markStatement, values: [id] });
      if (rowCount === null || rowCount === 0) break;
      total += rowCount;
    }
  }
  return total;
}

/** Those that sent at the restored moment, and those whose time came later. A person decides when they go on. */
async function pauseBroadcasts(database: Database, actor: string): Promise<number> {
  const { rows } = await database.pool.query<{ id: BroadcastId; accountId: AccountId }>(
    `SELECT id, account_id AS "accountId" FROM broadcasts
     WHERE state = 'running' OR (state = 'paused' AND paused_by <> 'user') OR (state = 'scheduled' AND send_at <= now()) ORDER BY id`,
  );
  let paused = 0;
  for (const whose of rows) {
    const audit: Audit = { accountId: whose.accountId, actor, action: 'broadcast.paused' };
    const { kind } = await pauseBroadcast(database, whose, audit);
    if (kind === 'done') paused++;
  }
  return paused;
}

async function renewSessions(database: Database): Promise<number> {
  let devices = 0;
  for (const network of networkNames) devices += (await requestForgetSessions(database, { network })).length;
  return devices;
}

/**
 * No api and no worker may use the database meanwhile. `actor` appears in the audit log, once for the service and once
 * for each broadcast.
 */
export async function settleRestored(database: Database, actor: string): Promise<SettledRestore> {
  await endLeases(database);
  const unknown = await endSending(database);
  const sentAgain = await markWaiting(database);
  const broadcastsPaused = await pauseBroadcasts(database, actor);
  const devicesWithNewKeys = await renewSessions(database);
  // The last step, so its row in the audit log says that all of them were done.
  await noteRestore(database, { accountId: null, actor, action: 'events.restored' });
  return { unknown, sentAgain, broadcastsPaused, devicesWithNewKeys };
}
