/**
 * Fills lanes from Postgres: adds a ticket to each lane and priority that has due messages and no waiting ticket. A
 * second run adds nothing. After Redis lost its data, this restores the tickets.
 */
import type { DeviceId } from '@kurir/contracts';
import { laneEventsKept, laneName, lanePrefix, type QueueConnection } from '../redis/connect.js';
import { nodeOfKey } from '../redis/node-of-key.js';
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

/** After this many failures, the node itself is away or silent. Each further lane would cost a timeout. */
const failuresInARow = 3;

/** Called for each lane that could not be filled. The other lanes still get their tickets. */
export type OnUnfilled = (deviceId: DeviceId, error: unknown) => void;

/** Counts failures in a row by node. A Redis that is no Cluster counts as one node. */
class Failures {
  readonly #counts = new Map<string, number>();
  readonly #commands: QueueConnection['commands'];
  /** The failure that made a node count as away. */
  last: { readonly error: unknown } | null = null;

  constructor(commands: QueueConnection['commands']) {
    this.#commands = commands;
  }

  isAway(node: string): boolean {
    return this.#count(node) >= failuresInARow;
  }

  reset(node: string): void {
    this.#counts.delete(node);
  }

  /** Returns whether the node now counts as away. Throws if the whole Redis does. */
  add(node: string, error: unknown): boolean {
    this.#counts.set(node, this.#count(node) + 1);
    if (!this.isAway(node) && this.#commands.status === 'ready') return false;
    this.last = { error };
    if (!this.#commands.isCluster || this.#commands.status !== 'ready') throw error;
    return true;
  }

  #count(node: string): number {
    return this.#counts.get(node) ?? 0;
  }
}

/**
 * Fills the lanes of `due`, each with one ticket. Returns how many tickets it added. Rejects if Redis is away, or after
 * `failuresInARow`. If only a node of a Cluster is away, it first fills the lanes of the other nodes.
 */
export async function fillLanes(
  connection: QueueConnection,
  due: readonly Ticket[],
  onUnfilled: OnUnfilled,
): Promise<number> {
  let added = 0;
  const failures = new Failures(connection.commands);
  for (const [deviceId, tickets] of ticketsByLane(due)) {
    const node = nodeOfKey(connection.commands, lanePrefix(connection.options.prefix, deviceId));
    if (failures.isAway(node)) continue;
    try {
      added += await fillLane(connection, deviceId, tickets);
      failures.reset(node);
    } catch (error) {
      if (!failures.add(node, error)) onUnfilled(deviceId, error);
    }
  }
  if (failures.last !== null) throw failures.last.error;
  return added;
}
