/**
 * Fills lanes from Postgres: a lane and priority with due messages and no waiting ticket gets one. Run twice it adds
 * nothing new. It also repairs everything that a lost Redis took along.
 */
import type { DeviceId } from '@kurir/contracts';
import { laneEventsKept, laneName, lanePrefix, type QueueConnection } from '../redis/connect.js';
import { addMissingTickets } from './lane-tickets.js';
import type { Ticket } from './ticket.js';

/** Redis may have been emptied since the lane was made, and its cap on events with it. */
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

/** So many lanes one after the other: then it is Redis that is away, or silent, and each would take a timeout to say so. */
const failuresInARow = 3;

/** Told of each lane that could not be filled; it keeps no other from its ticket. */
export type OnUnfilled = (deviceId: DeviceId, error: unknown) => void;

/**
 * Fills the lanes that `due` names, one ticket for each. Returns how many tickets it added. Rejects when Redis is away, or
 * has failed three lanes in a row.
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
