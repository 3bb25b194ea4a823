/** Chooses the recipients of a broadcast that get a message next, and their devices. */
import type pg from 'pg';
import type { Zone } from '../../recipients/recipient-hours.js';
import type { Sender } from './broadcast-devices.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';

export const mostAtOnce = 1_000;

export type Choice = {
  readonly broadcast: LockedBroadcast;
  /** Those whose hours are open. */
  readonly zones: readonly Zone[];
};

export type Pending = {
  readonly position: number;
  readonly recipient: string;
  readonly keyNumber: number | null;
  readonly sealed: Buffer | null;
  readonly round: number;
  readonly zone: Zone;
};

/** The next recipients of a device, or those without a device, whose hours are open. */
async function readPending(
  client: pg.PoolClient,
  { broadcast, zones }: Choice,
  deviceId: string | null,
  limit: number,
) {
  if (limit <= 0) return [];
  const [name, whose] =
    deviceId === null
      ? ['read-new-pending', 'device_id IS NULL AND position <= $4']
      : ['read-own-pending', 'device_id = $4'];
  const { id, lookedUpTo, recipients } = broadcast;
  // Nobody knows yet whether a device knows the strangers after it.
  const until = lookedUpTo ?? recipients;
  // Postgres does not know that a null device_id is one value. Named in the order, it lets the index give the order.
  const { rows } = await client.query<Pending>({
    name,
    text: `SELECT r.position, r.recipient, r.key_number AS "keyNumber", r.sealed, r.round, r.zone
           FROM unnest($3::text[]) AS open (zone) CROSS JOIN LATERAL (
             SELECT * FROM broadcast_recipients
             WHERE broadcast_id = $1 AND state = 0 AND ${whose} AND zone = open.zone ORDER BY device_id, position LIMIT $2) r
           ORDER BY r.position LIMIT $2`,
    values: [id, limit, zones, deviceId ?? until],
  });
  return rows;
}

export type Share = { readonly sender: Sender; readonly pending: readonly Pending[] };

/** Each device gets its own people first. The others are spread evenly, as far as a device may write to new contacts. */
export async function chooseShares(
  client: pg.PoolClient,
  choice: Choice,
  senders: readonly Sender[],
  allowed: number,
): Promise<Share[]> {
  const shares: Share[] = [];
  let left = Math.min(allowed, mostAtOnce);
  const own = new Map<Sender, Pending[]>();
  for (const sender of senders) {
    const pending = await readPending(client, choice, sender.id, Math.min(sender.room, left));
    left -= pending.length;
    own.set(sender, pending);
  }
  let strangers = await readPending(client, choice, null, left);
  const takers = senders.filter(({ newRoom }) => newRoom > 0).length;
  const share = Math.ceil(strangers.length / Math.max(1, takers));
  for (const sender of senders) {
    const mine = own.get(sender) ?? [];
    const count = Math.max(0, Math.min(sender.room - mine.length, sender.newRoom, share));
    shares.push({ sender, pending: [...mine, ...strangers.slice(0, count)] });
    strangers = strangers.slice(count);
  }
  return shares.filter(({ pending }) => pending.length > 0);
}
