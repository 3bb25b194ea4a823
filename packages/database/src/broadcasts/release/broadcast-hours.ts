/** The hours of a broadcast: which of its recipients may get a message now. */
import { categoryRanks, exceedsUsualHours, type SendWindow } from '@kurir/contracts';
import type pg from 'pg';
import type { OpenHours } from '../../recipients/open-hours.js';
import { hoursOfBegins, openHours, type Zone, zoneNames, zoneOfCountry } from '../../recipients/recipient-hours.js';
import { holders } from './broadcast-devices.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';

type Windowed = Pick<LockedBroadcast, 'windowFrom' | 'windowTo' | 'windowZone'>;

function windowOf({ windowFrom: from, windowTo: to, windowZone: zone }: Windowed): SendWindow | null {
  return from === null || to === null || zone === null ? null : { from, to, zone };
}

/** Somebody must confirm that its messages may reach people at night. */
export const mustConfirm = (broadcast: Windowed & Pick<LockedBroadcast, 'category'>): boolean =>
  broadcast.category === categoryRanks.marketing && exceedsUsualHours(windowOf(broadcast));

/** The broadcast as it is with another window. */
export const withWindow = (broadcast: LockedBroadcast, window: SendWindow | null): LockedBroadcast => ({
  ...broadcast,
  windowFrom: window?.from ?? null,
  windowTo: window?.to ?? null,
  windowZone: window?.zone ?? null,
});

/** `never`: no hour of the window is open in all zones of the recipient. Null: the broadcast has no window. */
export function hoursOf(broadcast: LockedBroadcast, zone: Zone, now: Date): OpenHours | 'never' | null {
  const window = windowOf(broadcast);
  if (window === null) return null;
  // A list that an earlier version has planned has no zones.
  const { home } = broadcast;
  const names = zoneNames(window.zone === 'account' || zone === '' ? zoneOfCountry(home.country) : zone, home);
  return openHours(names, hoursOfBegins(window), now) ?? 'never';
}

/** The zones of its recipients in which no hour of its window is ever open. */
export const neverOpenZones = (broadcast: LockedBroadcast, now: Date): readonly Zone[] =>
  broadcast.zones.filter((zone) => hoursOf(broadcast, zone, now) === 'never');

/**
 * Counts the people who have got no message yet, and for whom no hour of the window is ever open. `before` is the broadcast
 * with another window: people for whom it has no open hour either are not counted.
 */
export async function countNeverOpen(
  queryable: pg.Pool | pg.PoolClient,
  broadcast: LockedBroadcast,
  before: LockedBroadcast | null,
): Promise<number> {
  const now = new Date();
  const closed = new Set(before === null ? [] : neverOpenZones(before, now));
  const zones = neverOpenZones(broadcast, now).filter((zone) => !closed.has(zone));
  if (zones.length === 0) return 0;
  const { rows } = await queryable.query<{ n: number }>({
    name: 'count-never-open',
    text: `SELECT (SELECT count(*) FROM broadcast_recipients WHERE broadcast_id = $1 AND state = 0 AND zone = ANY ($2::text[]))::int
             + (SELECT count(*) FROM messages m
                JOIN broadcast_recipients r ON r.broadcast_id = m.broadcast_id AND r.recipient = m.recipient AND r.state <> 1
                WHERE m.broadcast_id = $1 AND m.status IN ('queued', 'sending') AND r.zone = ANY ($2::text[]))::int AS n`,
    values: [broadcast.id, zones],
  });
  return rows[0]?.n ?? 0;
}

/** The zones whose recipients can be dealt with now: they get a message, or are skipped because no hour is ever open. */
export const openZones = (broadcast: LockedBroadcast, now: Date): readonly Zone[] =>
  broadcast.zones.filter((zone) => {
    const hours = hoursOf(broadcast, zone, now);
    return hours === null || hours === 'never' || hours.opensAt <= now;
  });

/** Over `open.zone`. The limit keeps Postgres from reading the whole list into a hash. */
const pendingOf = (whose: string) =>
  `broadcast_recipients WHERE broadcast_id = $1 AND state = 0 AND ${whose} AND zone = open.zone LIMIT 1`;

/** The next time at which hours begin. */
export function nextOpening(broadcast: LockedBroadcast, now: Date): Date | null {
  const openings = broadcast.zones.flatMap((zone) => {
    const hours = hoursOf(broadcast, zone, now);
    return hours === null || hours === 'never' || hours.opensAt <= now ? [] : hours.opensAt.getTime();
  });
  return openings.length === 0 ? null : new Date(Math.min(...openings));
}

/** Each device, and the people without one, have their own place in the index. So it reads no closed zone. */
export async function hasPendingIn(
  client: pg.PoolClient,
  { id }: LockedBroadcast,
  zones: readonly Zone[],
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'find-pending-in-zones',
    text: `${holders}
           SELECT 1 FROM unnest($2::text[]) AS open (zone) CROSS JOIN LATERAL (
             (SELECT 1 FROM ${pendingOf('device_id IS NULL')})
             UNION ALL
             (SELECT 1 FROM holders h CROSS JOIN LATERAL (SELECT 1 FROM ${pendingOf('device_id = h.device_id')}) one LIMIT 1)) found LIMIT 1`,
    values: [id, zones],
  });
  return rowCount === 1;
}
