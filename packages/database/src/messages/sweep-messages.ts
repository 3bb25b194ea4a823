/**
 * The sweep: finds messages in Postgres that are unfinished or too late. Each call takes a limited batch. Several
 * workers may run it at once; a second run finds nothing left.
 */
import { type DeviceId, type MessageId, priorityRanks } from '@kurir/contracts';
import { type Contact, noteContacts } from '../devices/device-contacts.js';
import { paceOfDevice } from '../devices/device-pace.js';
import { refusingDevices } from '../devices/new-contacts.js';
import { advisoryLocks } from '../postgres/advisory-locks.js';
import type { Database } from '../postgres/connect.js';
import { isDue } from './claim-message.js';
import { type Moved, moveColumns, writeMoves } from './write-status.js';

const batchSize = 2_000;

/** Longer than any setting allows for a try. No worker is still trying a message that has been `sending` for longer. */
export const longestTryMs = 130_000;

/** Over `messages m`: still `sending` long after it expired. */
const isLeftOver = `m.stage = 1 AND m.expires_at <= now() - interval '${longestTryMs} milliseconds'`;

/**
 * Messages in `sending` may have gone out. So their recipients are noted as contacts before the messages get their last
 * status. `from` is SQL that selects them as `m`. Returns their ids.
 */
export async function noteBegun(
  database: Database,
  name: string,
  from: string,
  values: readonly DeviceId[],
): Promise<MessageId[]> {
  const { rows } = await database.pool.query<{ id: MessageId; deviceId: DeviceId; recipient: string }>({
    name,
    text: `SELECT m.id, m.device_id AS "deviceId", m.recipient FROM ${from} LIMIT ${batchSize}`,
    values: [...values],
  });
  const contacts = rows.map(({ deviceId, recipient }): Contact => ({ deviceId, recipient, direction: 'wrote' }));
  if (contacts.length > 0) await noteContacts(database, contacts);
  return rows.map(({ id }) => id);
}

/**
 * Waiting messages that have expired become `expired`, or `unknown` if an earlier try had no answer. Messages that a
 * lost connection left in `sending` become `unknown`. Returns those that moved.
 */
export async function expireMessages(database: Database): Promise<readonly Moved[]> {
  const leftOver = await noteBegun(database, 'read-left-over', `messages m WHERE ${isLeftOver}`, []);
  return writeMoves(
    database.pool,
    'expire-messages',
    `(SELECT ${moveColumns({ id: 'id', to: `'expired'` })} FROM (
       SELECT id FROM messages WHERE stage = 0 AND expires_at <= now()
       ORDER BY expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED) late)
     UNION ALL
     (SELECT ${moveColumns({ id: 'id', to: `'unknown'`, reason: `'no_answer'` })} FROM (
       SELECT m.id FROM messages m WHERE m.id = ANY ($1::text[]) AND ${isLeftOver} FOR UPDATE SKIP LOCKED) left_over)`,
    [leftOver],
  );
}

const unlinked = `'device_unlinked'`;

/** Over a message of a device that is not linked any more: its broadcast goes on, and gives it to another device. */
const movesOn = `EXISTS (SELECT FROM broadcasts b WHERE b.id = messages.broadcast_id AND b.state IN ('running', 'paused'))`;

/** Over the devices `d` that `whose` selects. */
async function failOf(database: Database, name: string, whose: string, values: readonly DeviceId[]): Promise<number> {
  const begun = await noteBegun(
    database,
    `${name}-begun`,
    `devices d CROSS JOIN LATERAL (
       SELECT id, device_id, recipient FROM messages WHERE device_id = d.id AND stage = 1 LIMIT ${batchSize}) m
     WHERE ${whose}`,
    values,
  );
  // Each place has its own index.
  const [inLane, beside] = ['waits_until IS NULL', 'waits_until IS NOT NULL'];
  const waitingIn = (place: string) => `
    SELECT m.id FROM devices d CROSS JOIN LATERAL (
      SELECT id FROM messages
      WHERE device_id = d.id AND stage = 0 AND ${place} AND (unanswered > 0 OR broadcast_id IS NULL OR NOT ${movesOn}) LIMIT ${batchSize} FOR UPDATE SKIP LOCKED) m
    WHERE ${whose} LIMIT ${batchSize}`;
  const moved = await writeMoves(
    database.pool,
    name,
    `WITH in_lane AS (${waitingIn(inLane)}), beside AS (${waitingIn(beside)}), begun AS (
       SELECT m.id FROM messages m JOIN devices d ON d.id = m.device_id
       WHERE m.id = ANY ($${values.length + 1}::text[]) AND m.stage = 1 AND ${whose} FOR UPDATE OF m SKIP LOCKED)
     SELECT ${moveColumns({ id: 'id', to: `'failed'`, reason: unlinked })} FROM (TABLE in_lane UNION ALL TABLE beside) waiting
     UNION ALL
     SELECT ${moveColumns({ id: 'id', to: `'unknown'`, reason: unlinked })} FROM begun`,
    [...values, begun],
  );
  return moved.length;
}

/**
 * Ends the messages of devices that have no linked account. Waiting messages become `failed`, and messages in `sending`
 * become `unknown`. This also finds messages that were accepted while the device was unlinked.
 */
export const failUnlinkedMessages = (database: Database): Promise<number> =>
  failOf(database, 'fail-unlinked-messages', 'NOT d.linked', []);

/** The same for one device, so that its worker does not wait for the backlogs of all others. */
export const failMessagesOfUnlinked = (database: Database, deviceId: DeviceId): Promise<number> =>
  failOf(database, 'fail-messages-of-unlinked', 'NOT d.linked AND d.id = $1', [deviceId]);

/** Only one sweep runs at a time, because two of them would let messages in out of order. */
const wakeLock = advisoryLocks.wakeMessages;

/**
 * Lets due messages into their lanes, the earliest first. Returns their devices. Does nothing while another sweep does
 * this.
 */
export async function wakeMessages(database: Database): Promise<DeviceId[]> {
  const { rows } = await database.pool.query<{ device_id: DeviceId }>({
    name: 'wake-messages',
    text: `WITH alone AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(${wakeLock}) AS mine),
           due AS MATERIALIZED (
             SELECT id FROM messages WHERE stage = 0 AND waits_until <= now() AND (SELECT mine FROM alone)
             ORDER BY waits_until, seq LIMIT ${batchSize}),
           locked AS MATERIALIZED (
             SELECT m.id FROM messages m WHERE m.id IN (SELECT id FROM due) ORDER BY m.id FOR NO KEY UPDATE)
           UPDATE messages m SET waits_until = NULL FROM locked
           WHERE m.id = locked.id AND m.stage = 0 AND m.waits_until <= now() RETURNING m.device_id`,
  });
  return rows.map((row) => row.device_id);
}

/** A lane with a due message of a priority, and the first such message. */
export type DueLane = {
  readonly deviceId: DeviceId;
  readonly priority: number;
  readonly messageId: MessageId;
  readonly requestId: string;
};

/** For the given devices, each lane and priority with a due message that is older than `olderThanMs`. */
export async function readDueLanes(
  database: Database,
  deviceIds: readonly DeviceId[],
  olderThanMs: number,
): Promise<DueLane[]> {
  // The sum keeps Postgres from using an index over all messages that were ever accepted.
  const { rows } = await database.pool.query<DueLane>({
    name: 'read-due-lanes',
    text: `WITH ${refusingDevices('$1::text[]')}
           SELECT d.device_id AS "deviceId", p.priority, due.id AS "messageId", due.request_id AS "requestId"
           FROM unnest($1::text[]) AS d (device_id) CROSS JOIN LATERAL (${paceOfDevice('d.device_id')}) pace
           CROSS JOIN (VALUES ${Object.values(priorityRanks)
             .map((rank) => `(${rank})`)
             .join(', ')}) AS p (priority)
           CROSS JOIN LATERAL (
             SELECT m.id, m.request_id FROM messages m
             WHERE p.priority <= pace.least_urgent AND m.device_id = d.device_id AND m.priority = p.priority AND ${isDue}
               AND m.created_at + $2 * interval '1 millisecond' < now() ORDER BY m.seq LIMIT 1) due`,
    values: [deviceIds, olderThanMs],
  });
  return rows;
}

/** Those of the devices that have messages in `sending`. */
export async function readSendingDevices(database: Database, deviceIds: readonly DeviceId[]): Promise<DeviceId[]> {
  const { rows } = await database.pool.query<{ device_id: DeviceId }>({
    name: 'read-sending-devices',
    text: `SELECT d.device_id FROM unnest($1::text[]) AS d (device_id)
           WHERE EXISTS (SELECT 1 FROM messages m WHERE m.device_id = d.device_id AND m.stage = 1)`,
    values: [deviceIds],
  });
  return rows.map((row) => row.device_id);
}
