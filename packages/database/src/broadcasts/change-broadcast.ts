/** Changes a broadcast, also while it runs. The next step uses the new values. */
import type { AccountId, BroadcastId } from '@kurir/contracts';
import type pg from 'pg';
import { type Audit, noteAudit } from '../accounts/audit.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { countNeverOpen, hoursOf, mustConfirm, withWindow } from './release/broadcast-hours.js';
import { type LockedBroadcast, lockBroadcast } from './state/broadcast-state.js';
import { letGoOn } from './state/hold-messages.js';
import { type BroadcastRules, isEveryDevice } from './create-broadcast.js';

/** A field that is absent stays as it is. */
export type BroadcastChange = {
  readonly name?: string;
  readonly deviceIds?: readonly string[];
  /** Null: the pace of the devices alone. */
  readonly pacePerMinute?: number | null;
  /** Somebody has confirmed that marketing may reach people at night. */
  readonly anyHour?: boolean;
} & Partial<BroadcastRules>;

/** A new pace counts from now. */
const farthest = `now() + interval '10 seconds'`;

const given = (value: number | null | undefined) => [value !== undefined, value ?? null];

/** The sweep finds new hours for what waits: see `move-to-next-hours.ts`. A message that is being sent may come back to wait. */
async function askForHours(client: pg.PoolClient, id: BroadcastId): Promise<void> {
  await client.query({
    name: 'ask-for-hours',
    text: `WITH waiting AS MATERIALIZED (
             SELECT id FROM messages WHERE broadcast_id = $1 AND status IN ('queued', 'sending') AND stage < 2 ORDER BY id FOR NO KEY UPDATE)
           UPDATE messages m SET window_opens_at = now(), window_closes_at = now() FROM waiting WHERE m.id = waiting.id AND m.stage < 2`,
    values: [id],
  });
}

/** No try of a message that is being sent is repeated after its new hours. They end now if they are closed. */
async function moveTriedToHours(client: pg.PoolClient, broadcast: LockedBroadcast): Promise<void> {
  const { rows } = await client.query<{ id: string; zone: string }>({
    name: 'read-zones-of-tried',
    text: `SELECT m.id, r.zone FROM messages m
           JOIN broadcast_recipients r ON r.broadcast_id = m.broadcast_id AND r.recipient = m.recipient AND r.state <> 1
           WHERE m.broadcast_id = $1 AND m.status = 'sending' AND m.stage = 1`,
    values: [broadcast.id],
  });
  const now = new Date();
  const hours = rows.map(({ zone }) => {
    const found = hoursOf(broadcast, zone, now);
    return found === 'never' || (found !== null && found.opensAt > now) ? { opensAt: now, closesAt: now } : found;
  });
  await client.query({
    name: 'move-tried-to-hours',
    text: `UPDATE messages m SET window_opens_at = t.opens_at, window_closes_at = t.closes_at
           FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) AS t (id, opens_at, closes_at) WHERE m.id = t.id AND m.stage = 1`,
    values: [
      rows.map(({ id }) => id),
      hours.map((each) => each?.opensAt ?? null),
      hours.map((each) => each?.closesAt ?? null),
    ],
  });
}

const isBeforeStart = ({ state }: LockedBroadcast) => state === 'draft' || state === 'checking' || state === 'ready';

/** `leavesOut`: no hour of the new window is open for so many people who have got no message. */
type Refusal = 'ended' | 'no-such-device' | 'unconfirmed' | { readonly leavesOut: number };

async function refusalOf(
  client: pg.PoolClient,
  broadcast: LockedBroadcast,
  { deviceIds, window, anyHour = false }: BroadcastChange,
): Promise<Refusal | null> {
  if (broadcast.state === 'cancelled' || broadcast.state === 'finished') return 'ended';
  if (deviceIds !== undefined && !(await isEveryDevice(client, broadcast, deviceIds))) return 'no-such-device';
  // Before the start, the check counts those who are left out, and the start asks for the confirmation.
  if (window === undefined || isBeforeStart(broadcast)) return null;
  const changed = withWindow(broadcast, window);
  if (!anyHour && mustConfirm(changed)) return 'unconfirmed';
  const leavesOut = await countNeverOpen(client, changed, broadcast);
  return leavesOut > 0 ? { leavesOut } : null;
}

/** `unconfirmed`: the new hours of marketing that was started may be at night. */
export function changeBroadcast(
  { pool }: Database,
  whose: { readonly id: BroadcastId; readonly accountId: AccountId },
  change: BroadcastChange,
  audit: Audit | undefined,
): Promise<'changed' | 'not-found' | Refusal> {
  const { name, deviceIds, pacePerMinute, window } = change;
  return inTransaction(pool, async (client) => {
    const broadcast = await lockBroadcast(client, whose);
    if (broadcast === null) return 'not-found';
    const refusal = await refusalOf(client, broadcast, change);
    if (refusal !== null) return refusal;
    await client.query({
      name: 'change-broadcast',
      text: `UPDATE broadcasts SET changed_at = now(), looks_again_at = NULL, name = coalesce($2, name),
               device_ids = coalesce($3, device_ids),
               looked_up_to = CASE WHEN $3 <> device_ids THEN 0 ELSE looked_up_to END,
               pace_per_minute = CASE WHEN $4 THEN $5::int ELSE pace_per_minute END,
               paced_until = CASE WHEN $4 THEN least(paced_until, ${farthest}) ELSE paced_until END,
               window_from = CASE WHEN $6 THEN $7::smallint ELSE window_from END,
               window_to = CASE WHEN $6 THEN $8::smallint ELSE window_to END,
               window_zone = CASE WHEN $6 THEN $9 ELSE window_zone END,
               max_per_day = CASE WHEN $10 THEN $11::smallint ELSE max_per_day END,
               guard_failed = CASE WHEN $12 THEN $13::smallint ELSE guard_failed END,
               guard_opted_out = CASE WHEN $14 THEN $15::smallint ELSE guard_opted_out END
             WHERE id = $1`,
      values: [
        whose.id,
        name ?? null,
        deviceIds === undefined ? null : [...new Set(deviceIds)],
        pacePerMinute !== undefined,
        pacePerMinute ?? null,
        window !== undefined,
        window?.from ?? null,
        window?.to ?? null,
        window?.zone ?? null,
        ...given(change.maxPerDay),
        ...given(change.guardFailed),
        ...given(change.guardOptedOut),
      ],
    });
    // A device that comes back sends what waited on it.
    const isHeld = broadcast.pausedBy === 'user' || broadcast.pausedBy === 'guard';
    if (deviceIds !== undefined && !isHeld) await letGoOn(client, whose.id);
    if (window !== undefined) {
      await askForHours(client, whose.id);
      await moveTriedToHours(client, withWindow(broadcast, window));
    }
    if (audit !== undefined) await noteAudit(client, audit, whose.id);
    return 'changed';
  });
}
