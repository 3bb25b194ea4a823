/** The devices of a broadcast: what each can take now, and what leaves a device that cannot send any more. */
import { type BroadcastId, type DeviceId, isTestKey, type Network, sandboxNetworks } from '@kurir/contracts';
import type pg from 'pg';
import { acceptsSends, isSuspended } from '../../devices/device-condition.js';
import type { Database } from '../../postgres/connect.js';
import { type HealthFacts, judgeHealth } from '../../devices/health/judge-health.js';
import { healthFactsOf } from '../../devices/health/read-health.js';
import { newContactRoom, toContact } from '../../devices/new-contacts.js';
import type { LockedBroadcast } from '../state/broadcast-state.js';
import { goesOnAt, held } from '../state/hold-messages.js';

export type Sender = {
  readonly id: DeviceId;
  readonly network: Network;
  /** How many more messages its lane may get. */
  readonly room: number;
  /** How many of them may go to people whom it does not know. */
  readonly newRoom: number;
};

/** A lane holds about ten seconds of its device's pace, within these bounds. */
const [leastWindow, mostWindow] = [50, 200];

type Candidate = Sender & {
  /** Its limits leave a place for a new contact, even if its lane is full now. */
  readonly takesNew: boolean;
  readonly facts: HealthFacts;
};

/** New contacts harm an endangered number most. It gets none while the limits of a sound one leave a place. */
function spareEndangered(candidates: readonly Candidate[]): Sender[] {
  const judged = candidates.map(({ takesNew, facts, ...sender }) => ({
    sender,
    isSound: ['good', 'watch'].includes(judgeHealth(facts).word),
    takesNew,
  }));
  const spares = judged.some(({ isSound, takesNew }) => isSound && takesNew);
  return judged.map(({ sender, isSound }) => (spares && !isSound ? { ...sender, newRoom: 0 } : sender));
}

/**
 * Those of the devices that can send now, those with the emptiest lanes first. An old broadcast of a test key may name
 * devices of a real network. It does not use them.
 */
export async function readSenders(
  client: pg.PoolClient,
  { id, accountId, deviceIds, createdBy }: LockedBroadcast,
): Promise<Sender[]> {
  const { rows } = await client.query<Candidate>({
    name: 'read-senders',
    text: `WITH room AS MATERIALIZED (${newContactRoom('$2::text[]')})
           SELECT d.id, d.network,
             greatest(0, least(${mostWindow}, greatest(${leastWindow}, coalesce(d.pace_per_minute / 6, ${mostWindow}))) - open.all)::int AS room,
             greatest(0, coalesce(room.room, ${mostWindow}) - open.new)::int AS "newRoom",
             coalesce(room.room > open.new, true) AS "takesNew", ${healthFactsOf} AS facts
           FROM devices d JOIN device_leases l ON l.device_id = d.id LEFT JOIN device_health h ON h.device_id = d.id LEFT JOIN room ON room.device_id = d.id
           CROSS JOIN LATERAL (
             SELECT count(*) AS all, count(*) FILTER (WHERE NOT ${toContact}) AS new FROM messages m
             WHERE m.broadcast_id = $1 AND m.status = 'queued' AND m.device_id = d.id) open
           WHERE d.id = ANY ($2::text[]) AND d.account_id = $3 AND d.deleted_at IS NULL AND ${acceptsSends} AND NOT ${isSuspended}
             AND ($4::text[] IS NULL OR d.network = ANY ($4))
           ORDER BY open.all, d.id`,
    values: [id, deviceIds, accountId, isTestKey(createdBy) ? sandboxNetworks : null],
  });
  return spareEndangered(rows);
}

/** The first device that can send now, or else the first that is still there. Null: none is. */
export async function findSender(
  { pool }: Database,
  { accountId, deviceIds }: Pick<LockedBroadcast, 'accountId' | 'deviceIds'>,
): Promise<DeviceId | null> {
  const { rows } = await pool.query<{ id: DeviceId }>({
    name: 'find-sender',
    text: `SELECT d.id FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, place)
           JOIN devices d ON d.id = wanted.id JOIN device_leases l ON l.device_id = d.id
           WHERE d.account_id = $2 AND d.deleted_at IS NULL ORDER BY (${acceptsSends}) IS TRUE DESC, wanted.place LIMIT 1`,
    values: [deviceIds, accountId],
  });
  return rows[0]?.id ?? null;
}

const dividedAtOnce = 2_000;

/** The device among an array of ids in SQL that knows a recipient and had contact last. */
const knowing = (recipient: string, deviceIds: string) => `
  SELECT k.device_id FROM device_contacts k WHERE k.device_id = ANY (${deviceIds}) AND k.recipient = ${recipient}
  ORDER BY k.seen_at DESC, k.device_id LIMIT 1`;

/** Over `devices d`: it may send for the broadcast again, now or later. */
const isOfBroadcast = `d.id = ANY ($1::text[]) AND d.account_id = $2 AND d.linked AND d.desired_state = 'linked' AND d.deleted_at IS NULL AND d.state <> 'banned'`;

/** The devices that have a share of a broadcast `$1`, each found by one look into the index. */
export const holders = `
  WITH RECURSIVE holders AS (
    SELECT min(device_id) AS device_id FROM broadcast_recipients WHERE broadcast_id = $1 AND state = 0 AND device_id IS NOT NULL
    UNION ALL
    SELECT (SELECT min(r.device_id) FROM broadcast_recipients r WHERE r.broadcast_id = $1 AND r.state = 0 AND r.device_id > h.device_id)
    FROM holders h WHERE h.device_id IS NOT NULL)`;

/**
 * Recipients of a device that left go to another one that knows them, or else to any. So do the messages that wait in its
 * lane. Returns true if another step makes sense at once.
 */
export async function freeShares(
  client: pg.PoolClient,
  broadcast: LockedBroadcast,
  senders: readonly Sender[],
): Promise<boolean> {
  const { id, accountId, deviceIds } = broadcast;
  const { rows } = await client.query<{ id: string }>({
    name: 'read-devices-of-shares',
    text: `SELECT d.id FROM devices d WHERE ${isOfBroadcast}`,
    values: [deviceIds, accountId],
  });
  const staying = rows.map((row) => row.id);
  const { rowCount } = await client.query({
    name: 'free-shares',
    text: `${holders}
           UPDATE broadcast_recipients r SET device_id = (${knowing('r.recipient', '$2::text[]')}) WHERE r.ctid = ANY (ARRAY(
             SELECT r.ctid FROM holders h JOIN broadcast_recipients r ON r.broadcast_id = $1 AND r.device_id = h.device_id AND r.state = 0
             WHERE h.device_id <> ALL ($2::text[]) LIMIT ${dividedAtOnce}))`,
    values: [id, staying],
  });
  await moveLeftBehind(client, id, staying, senders);
  return (await lookUpStrangers(client, broadcast, staying)) || rowCount === dividedAtOnce;
}

/**
 * After a change of the devices, another one may know people whom none knew before. They are looked up from the beginning of
 * the list on, a part in each step. Returns true if it looked anybody up. The conditions keep Postgres from the index of those
 * who wait, of which it would read all.
 */
async function lookUpStrangers(
  client: pg.PoolClient,
  { id, recipients, lookedUpTo }: LockedBroadcast,
  staying: readonly string[],
): Promise<boolean> {
  if (lookedUpTo === null) return false;
  const next = lookedUpTo + dividedAtOnce;
  await client.query({
    name: 'look-up-strangers',
    text: `UPDATE broadcast_recipients r SET device_id = found.device_id
           FROM (SELECT s.ctid AS at, k.device_id
                 FROM broadcast_recipients s CROSS JOIN LATERAL (${knowing('s.recipient', '$2::text[]')}) k
                 WHERE s.broadcast_id = $1 AND s.position > $3 AND s.position <= $4 AND s.state + 0 = 0 AND coalesce(s.device_id, '') = '') found
           WHERE r.ctid = found.at`,
    values: [id, staying, lookedUpTo, next],
  });
  await client.query({
    name: 'note-looked-up',
    text: 'UPDATE broadcasts SET looked_up_to = $2 WHERE id = $1',
    values: [id, next < recipients ? next : null],
  });
  return true;
}

/**
 * Over `messages m` and its `devices d`: the device left the broadcast, or the network forbids it to write to this person,
 * who does not know it.
 */
const isLeftBehind = `(m.device_id <> ALL ($2::text[]) OR (d.new_contacts_blocked_until > now() AND NOT ${toContact}))`;

/**
 * Messages that wait on such a device go out by the one that knows the person, or else by the others in turn. One with an
 * unanswered try stays: it may have gone out.
 */
async function moveLeftBehind(
  client: pg.PoolClient,
  id: BroadcastId,
  staying: readonly string[],
  senders: readonly Sender[],
): Promise<void> {
  for (const network of new Set(senders.map((sender) => sender.network))) {
    const of = senders.filter((sender) => sender.network === network);
    const open = of.filter(({ newRoom }) => newRoom > 0);
    const targets = (open.length === 0 ? of : open).map((sender) => sender.id);
    await client.query({
      name: 'move-messages-to-devices',
      text: `WITH left_behind AS MATERIALIZED (
               SELECT m.id, m.recipient FROM messages m JOIN devices d ON d.id = m.device_id
               WHERE m.broadcast_id = $1 AND m.status = 'queued' AND m.stage = 0 AND m.unanswered = 0
                 AND ${isLeftBehind} AND m.device_id <> ALL ($3::text[]) AND d.network = $4 ORDER BY m.id FOR NO KEY UPDATE OF m),
             turns AS (
               SELECT l.id, k.device_id AS knowing,
                 (row_number() OVER (PARTITION BY k.device_id IS NULL ORDER BY l.id) - 1) % cardinality($3::text[]) + 1 AS turn
               FROM left_behind l LEFT JOIN LATERAL (${knowing('l.recipient', '$5::text[]')}) k ON true),
             moved AS (
               UPDATE messages m SET device_id = coalesce(turns.knowing, ($3::text[])[turns.turn::int]), waits_until = CASE WHEN m.waits_until = ${held} THEN ${goesOnAt} ELSE m.waits_until END FROM turns
               WHERE m.id = turns.id AND m.stage = 0 AND m.unanswered = 0 RETURNING m.recipient, m.device_id)
             UPDATE broadcast_recipients r SET device_id = moved.device_id FROM moved
             WHERE r.broadcast_id = $1 AND r.recipient = moved.recipient AND r.state = 2`,
      values: [id, staying, targets, network, of.map((sender) => sender.id)],
    });
  }
}
