/**
 * The quota that a broadcast sets aside for messages that it has not released yet. It is taken as they are released, and
 * given back at the end. The periods that end first pay first, as for single messages. If one ends before its part is
 * used, the rest is set aside anew in those that are open then.
 */
import { type BroadcastId, isTestKey } from '@kurir/contracts';
import type pg from 'pg';
import { inPeriodOrder, readOpenPeriods } from '../../messages/grant-quota.js';
import type { LockedBroadcast, Reserved } from './broadcast-state.js';

type Reserving = Pick<LockedBroadcast, 'id' | 'accountId' | 'reservations'>;
type Payer = Reserving & Pick<LockedBroadcast, 'createdBy'>;

export type Reservation =
  | { readonly kind: 'reserved'; readonly reservations: readonly Reserved[] }
  /** `remaining` is the sum over the open periods. */
  | { readonly kind: 'refused'; readonly code: 'PLAN_EXPIRED' | 'QUOTA_EXHAUSTED'; readonly remaining: number };

/** The recipients whose message has not been released, also those who are to get another one. */
export async function countPending(client: pg.PoolClient, id: BroadcastId): Promise<number> {
  const { rows } = await client.query<{ n: number }>({
    name: 'count-pending-recipients',
    text: `SELECT (SELECT count(*)::int FROM broadcast_recipients r WHERE r.broadcast_id = b.id AND r.state = 0)
             + b.again_failed + b.again_unknown AS n FROM broadcasts b WHERE b.id = $1`,
    values: [id],
  });
  return rows[0]?.n ?? 0;
}

/** Adds each count, times `sign`, to the quota that its period has set aside. An unlimited period sets nothing aside. */
async function addToPeriods(client: pg.PoolClient, parts: readonly Reserved[], sign: 1 | -1): Promise<void> {
  const limited = parts.filter(({ periodId }) => periodId !== null);
  if (limited.length === 0) return;
  await client.query({
    name: 'reserve-quota',
    text: `WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::int[]) AS t (id, count)),
           locked AS MATERIALIZED (SELECT p.id FROM subscription_periods p WHERE p.id = ANY ($1::uuid[]) ${inPeriodOrder} FOR UPDATE)
           UPDATE subscription_periods p SET reserved_quota = p.reserved_quota + asked.count
           FROM locked JOIN asked USING (id) WHERE p.id = locked.id`,
    values: [limited.map(({ periodId }) => periodId), limited.map(({ count }) => sign * count)],
  });
}

async function noteReserved(client: pg.PoolClient, id: BroadcastId, reservations: readonly Reserved[]): Promise<void> {
  await client.query({
    name: 'note-reserved',
    text: 'UPDATE broadcasts SET reservations = $2 WHERE id = $1',
    values: [id, JSON.stringify(reservations)],
  });
}

/** Takes `count` from the parts, the first ones first. `lacks` is how much they do not cover. */
function takeFrom(parts: readonly Reserved[], count: number) {
  let lacks = count;
  const taken: Reserved[] = [];
  const left: Reserved[] = [];
  for (const part of parts) {
    const now = Math.min(part.count, lacks);
    lacks -= now;
    if (now > 0) taken.push({ ...part, count: now });
    if (part.count > now) left.push({ ...part, count: part.count - now });
  }
  return { taken, left, lacks };
}

/** Gives back what the broadcast holds. */
export async function giveBackQuota(client: pg.PoolClient, { id, reservations }: Reserving): Promise<void> {
  if (reservations.length === 0) return;
  await addToPeriods(client, reservations, -1);
  await noteReserved(client, id, []);
}

/**
 * Sets `count` messages aside instead of what the broadcast holds. The open periods that end first pay first. The broadcast of
 * a test key costs nothing.
 */
export async function reserveQuota(client: pg.PoolClient, broadcast: Payer, count: number): Promise<Reservation> {
  await giveBackQuota(client, broadcast);
  if (isTestKey(broadcast.createdBy)) {
    const reservations = [{ periodId: null, count }];
    await noteReserved(client, broadcast.id, reservations);
    return { kind: 'reserved', reservations };
  }
  const periods = await readOpenPeriods(client, [broadcast.accountId], 'locked');
  const room = periods.map(({ id, unlimited, remaining }) =>
    unlimited ? { periodId: null, count } : { periodId: id, count: remaining },
  );
  const { taken, lacks } = takeFrom(room, count);
  if (periods.length === 0) return { kind: 'refused', code: 'PLAN_EXPIRED', remaining: 0 };
  if (lacks > 0) return { kind: 'refused', code: 'QUOTA_EXHAUSTED', remaining: count - lacks };
  await addToPeriods(client, taken, 1);
  await noteReserved(client, broadcast.id, taken);
  return { kind: 'reserved', reservations: taken };
}

/** If one of its periods has ended, sets the rest aside anew. Returns the broadcast as it is then. Null: too little is left. */
export async function keepReservation(
  client: pg.PoolClient,
  broadcast: LockedBroadcast,
): Promise<LockedBroadcast | null> {
  const { accountId, reservations, createdBy } = broadcast;
  const isFree = isTestKey(createdBy) && reservations.every(({ periodId }) => periodId === null);
  if (isFree && reservations.length > 0) return broadcast;
  const open = await readOpenPeriods(client, [accountId], 'as read');
  const isOpen = ({ periodId }: Reserved) =>
    open.some(({ id, unlimited }) => (periodId === null ? unlimited : id === periodId));
  if (reservations.length > 0 && reservations.every(isOpen)) return broadcast;
  const reservation = await reserveQuota(client, broadcast, await countPending(client, broadcast.id));
  return reservation.kind === 'refused' ? null : { ...broadcast, reservations: reservation.reservations };
}

/**
 * Before messages are stored, which takes their quota from the same periods in the same transaction. Returns which
 * period pays for how many of them.
 */
export async function useReserved(
  client: pg.PoolClient,
  { id, reservations }: Reserving,
  count: number,
): Promise<readonly Reserved[]> {
  const { taken, left, lacks } = takeFrom(reservations, count);
  if (lacks > 0) throw new Error('a broadcast releases more than it reserved');
  await addToPeriods(client, taken, -1);
  await noteReserved(client, id, left);
  return taken;
}
