/**
 * Fills lanes from Postgres: adds a ticket to each lane and priority that has due messages and no waiting ticket. A
 * second run adds nothing. After Redis lost its data, this restores the tickets.
 */
import type { DeviceId } from '@kurir/contracts';
import { laneEventsKept, laneName, lanePrefix, type QueueConnection } from '../redis/connect.js';
import { addMissingTickets } from './lane-tickets.js';
import type { Ticket } from './ticket.js';

/** If Redis was emptied, it also lost the lane's limit for events. */
async function restoreEventCap(connection: QueueConnection, deviceId: DeviceId): Promise<void> {
  const key = `${lanePrefix(connection.options.prefix, deviceId)}:${laneName}:meta`;
  await connection.commands.hset(key, 'opts.maxLenEvents', laneEventsKept);
}

async function fillLane(connection: QueueConnection, deviceId: DeviceId, tickets: readonly Ticket[]): Promise<number> {
  const added = await addMissingTickets(connection, deviceId, tickets);
  if (added > 0) await restoreEventCap(connection, deviceId);
  return added;
}

function ticketsByLane(due: readonly Ticket[]): Map<DeviceId, Ticket[]> {
  const lanes = new Map<DeviceId, Ticket[]>();
  for (const ticket of due) lanes.set(ticket.deviceId, [...(lanes.get(ticket.deviceId) ?? []), ticket]);
  return lanes;
}

/** After this many failures Redis itself is away or silent. Each further lane would cost a timeout. */
const failuresInARow = 3;

/** Called for each lane that could not be filled. The other lanes still get their tickets. */
export type OnUnfilled = (deviceId: DeviceId, error: unknown) => void;

/**
 * Fills the lanes of `due`, each with one ticket. Returns how many tickets it added. Rejects if Redis is away, or after
 * `failuresInARow`.
 */
export async function fillLanes(
  connection: QueueConnection,
  due: readonly Ticket[],
  onUnfilled: OnUnfilled,
): Promise<number> {
  let added = 0;
  let failures = 0;
  for (const [deviceId, tickets] of ticketsByLane(due)) {
    try {
      added += await fillLane(connection, deviceId, tickets);
      failures = 0;
    } catch (error) {
      if (connection.commands.status !== 'ready' || ++failures === failuresInARow) throw error;
      onUnfilled(deviceId, error);
    }
  }
  return added;
}
