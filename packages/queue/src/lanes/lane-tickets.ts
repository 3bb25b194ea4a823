/**
 * The tickets of a lane that wait in Redis: one of each priority, or two that were added in the same moment. A turn sees whatever was committed before it
 * began, so a message that comes while one waits needs none of its own.
 */
import { type DeviceId, priorityRanks } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';
import { encodeTicket, type Ticket } from './ticket.js';

const priorities = Object.values(priorityRanks);

/** otp before normal before bulk. BullMQ's priority 0 would mean "before all, in another list". */
const bullPriority = (priority: number) => priority + 1;

/** Tickets that wait in a lane, by priority (0, 1, 2). */
export async function readTicketCounts(connection: QueueConnection, deviceId: DeviceId): Promise<number[]> {
  const counts = await connection.laneQueue(deviceId).getCountsPerPriority(priorities.map(bullPriority));
  return priorities.map((priority) => counts[bullPriority(priority)] ?? 0);
}

type Addition = Parameters<ReturnType<QueueConnection['laneQueue']>['addBulk']>[0][number];

function additionOf(ticket: Ticket, { options }: QueueConnection): Addition {
  const opts = { jobId: ticket.messageId, priority: bullPriority(ticket.priority) };
  return { name: 'turn', data: encodeTicket(ticket, options.internalKey), opts };
}

/** Adds tickets of one lane, each where none of its priority waits. Returns how many it added. */
export async function addMissingTickets(
  connection: QueueConnection,
  deviceId: DeviceId,
  tickets: readonly Ticket[],
): Promise<number> {
  const counts = await readTicketCounts(connection, deviceId);
  const additions = tickets.filter(({ priority }) => counts[priority] === 0).map((one) => additionOf(one, connection));
  const lane = connection.laneQueue(deviceId);
  const [first] = additions;
  // A pipeline, which `addBulk` makes, is dearer than a ticket: each one gets a copy of all of BullMQ's scripts.
  if (first !== undefined && additions.length === 1) await lane.add(first.name, first.data, first.opts);
  else if (first !== undefined) await lane.addBulk(additions);
  return additions.length;
}
