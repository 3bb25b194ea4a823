/**
 * Step 4, enqueue: after the answer, a ticket for each lane and priority of what was accepted. It may fail and may run
 * twice: the sweep finds a message whose lane has no ticket, and a second ticket only costs a claim that finds nothing.
 */
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';
import { addMissingTickets } from './lane-tickets.js';
import type { Ticket } from './ticket.js';

export type EnqueuerOptions = {
  /** Told how many tickets did not get into Redis because of an error; the sweep will find what they were for. */
  readonly onDropped: (count: number, error: unknown) => void;
};

export type Enqueuer = {
  /** Takes tickets and returns at once; never throws. */
  offer(tickets: readonly Ticket[]): void;
  /** Resolves when what was offered has been tried. */
  close(): Promise<void>;
};

/** Beyond this many lanes that wait for Redis, tickets are dropped: the sweep brings them later. */
const mostLanes = 50_000;
/** A lane asks Redis no more often: a ticket that is alone goes at once, under load those that arrive meanwhile share one. */
const gatherMs = 10;

/** The newest ticket of each priority. */
type LaneTickets = Map<number, Ticket>;

export function createEnqueuer(connection: QueueConnection, { onDropped }: EnqueuerOptions): Enqueuer {
  /** The lanes that are being asked for, each with what came since. */
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
    // One turn of the event loop gathers what is accepted together.
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
