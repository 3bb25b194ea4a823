/**
 * Step 4, enqueue: after the answer, it adds one ticket for each lane and priority of the accepted messages. It may
 * fail and may run twice. The sweep finds messages whose lane has no ticket. A second ticket costs only a claim that
 * finds nothing.
 */
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';
import { addMissingTickets } from './lane-tickets.js';
import type { Ticket } from './ticket.js';

export type EnqueuerOptions = {
  /** Called with the number of tickets that did not get into Redis. The sweep finds their messages. */
  readonly onDropped: (count: number, error: unknown) => void;
};

export type Enqueuer = {
  /** Takes tickets and returns at once. Never throws. */
  offer(tickets: readonly Ticket[]): void;
  /** Resolves when all offered tickets have been tried. */
  close(): Promise<void>;
};

/** If more lanes than this wait for Redis, tickets are dropped. The sweep adds them later. */
const mostLanes = 50_000;
/** The least time between two requests of a lane. A single ticket is sent at once. Under load, tickets gather. */
const gatherMs = 10;

/** The newest ticket of each priority. */
type LaneTickets = Map<number, Ticket>;

export function createEnqueuer(connection: QueueConnection, { onDropped }: EnqueuerOptions): Enqueuer {
  /** The lanes with a request in flight, and the tickets that arrived since. */
  const lanes = new Map<DeviceId, LaneTickets>();
  const running = new Set<Promise<void>>();

  async function addOnce(deviceId: DeviceId): Promise<void> {
    const tickets = [...(lanes.get(deviceId)?.values() ?? [])];
    lanes.set(deviceId, new Map());
    try {
      await addMissingTickets(connection, deviceId, tickets);
    } catch (error) {
      onDropped(tickets.length, error);
    }
  }

  async function fill(deviceId: DeviceId): Promise<void> {
    // Gathers the messages that are accepted in one turn of the event loop.
    await yieldToEventLoop();
    for (;;) {
      await addOnce(deviceId);
      await sleep(gatherMs);
      if (lanes.get(deviceId)?.size === 0) break;
    }
    lanes.delete(deviceId);
  }

  function offerOne(ticket: Ticket): void {
    const lane = lanes.get(ticket.deviceId);
    if (lane !== undefined) return void lane.set(ticket.priority, ticket);
    if (lanes.size >= mostLanes) return onDropped(1, new Error('Redis is too slow'));
    lanes.set(ticket.deviceId, new Map([[ticket.priority, ticket]]));
    const filling: Promise<void> = fill(ticket.deviceId).finally(() => running.delete(filling));
    running.add(filling);
  }

  return {
    offer(tickets) {
      if (connection.commands.status !== 'ready') return onDropped(tickets.length, new Error('Redis is not connected'));
      for (const ticket of tickets) offerOne(ticket);
    },
    async close() {
      await Promise.all(running);
    },
  };
}
