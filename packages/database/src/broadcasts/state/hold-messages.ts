/**
 * Takes the waiting messages of a broadcast out of their lanes, and lets them in again. A message with an unanswered try
 * stays in its lane: it may have gone out, and only another try tells. It runs under the lock of the broadcast.
 */
import type { BroadcastId } from '@kurir/contracts';
import type pg from 'pg';
import type { LockedBroadcast } from './broadcast-state.js';

/** `waits_until` of a message that waits for its broadcast. Nothing wakes it. */
export const held = `'infinity'::timestamptz`;

/** Over `messages m`: the `waits_until` of a held message that may go on. */
export const goesOnAt = `CASE WHEN greatest(m.held_until, m.window_opens_at) > now() THEN greatest(m.held_until, m.window_opens_at) END`;

const whichWait = (more: string) => `
  SELECT id FROM messages WHERE broadcast_id = $1 AND status = 'queued' AND stage = 0 AND ${more} ORDER BY id FOR NO KEY UPDATE`;

export async function holdWaiting(client: pg.PoolClient, id: BroadcastId): Promise<void> {
  await client.query({
    name: 'hold-messages',
    text: `WITH waiting AS MATERIALIZED (${whichWait(`unanswered = 0 AND waits_until IS DISTINCT FROM ${held}`)})
           UPDATE messages m SET waits_until = ${held} FROM waiting WHERE m.id = waiting.id AND m.stage = 0 AND m.unanswered = 0`,
    values: [id],
  });
}

/** Those on a device that was taken away stay, until a step moves them to another one. */
export async function letGoOn(client: pg.PoolClient, id: BroadcastId): Promise<void> {
  await client.query({
    name: 'let-messages-go-on',
    text: `WITH waiting AS MATERIALIZED (${whichWait(`waits_until = ${held} AND device_id = ANY (ARRAY(SELECT unnest(device_ids) FROM broadcasts WHERE id = $1))`)})
           UPDATE messages m SET waits_until = ${goesOnAt} FROM waiting
           WHERE m.id = waiting.id AND m.stage = 0`,
    values: [id],
  });
}

/** Holds what waits on devices that were taken away. Returns true if there is something. */
export async function holdRemoved(client: pg.PoolClient, { id, deviceIds }: LockedBroadcast): Promise<boolean> {
  const { rows } = await client.query<{ isLeft: boolean }>({
    name: 'hold-messages-of-removed',
    text: `WITH removed AS MATERIALIZED (${whichWait('unanswered = 0 AND device_id <> ALL ($2::text[])')}),
             stopped AS (
               UPDATE messages m SET waits_until = ${held} FROM removed
               WHERE m.id = removed.id AND m.stage = 0 AND m.unanswered = 0 AND m.waits_until IS DISTINCT FROM ${held})
           SELECT EXISTS (SELECT FROM removed) AS "isLeft"`,
    values: [id, deviceIds],
  });
  return rows[0]?.isLeft === true;
}
