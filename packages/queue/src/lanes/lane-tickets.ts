/**
 * The tickets of a lane that wait in Redis. A lane has one for each priority, or two if both were added at the same
 * moment. A turn sees everything that was committed before it began. So a message needs no ticket while one waits.
 */
import { type DeviceId, priorityRanks } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';
import { encodeTicket, type Ticket } from './ticket.js';

const priorities = Object.values(priorityRanks);

/**
 * One-time codes go first, then normal messages, then bulk. BullMQ keeps priority 0 in another list, before all others.
 */
const bullPriority = (priority: number) => priority + 1;

/** Counts the waiting tickets of a lane by priority (0, 1, 2). */
export async function readTicketCounts(connection: QueueConnection, deviceId: DeviceId): Promise<number[]> {
  const counts = await connection.laneQueue(deviceId).getCountsPerPriority(priorities.map(bullPriority));
  return priorities.map((priority) => counts[bullPriority(priority)] ?? 0);
}

type Addition = Parameters<ReturnType<QueueConnection['laneQueue']>['addBulk']>[0][number];

/**
 * The job has no id of ours. BullMQ drops a job whose id it knows, so a ticket that Redis kept only in part could not be
 * made again.
 */
function additionOf(ticket: Ticket, { options }: QueueConnection): Addition {
  const opts = { priority: bullPriority(ticket.priority) };
  return { name: 'turn', data: encodeTicket(ticket, options.internalKeys), opts };
}

/** Adds tickets of one lane, each only if no ticket of its priority waits. Returns how many it added. */
export async function addMissingTickets(
  connection: QueueConnection,
  deviceId: DeviceId,
  tickets: readonly Ticket[],
): Promise<number> {
  const counts = await readTicketCounts(connection, deviceId);
  const additions = tickets.filter(({ priority }) => counts[priority] === 0).map((one) => additionOf(one, connection));
  const lane = connection.laneQueue(deviceId);
  const [first] = additions;
  // `addBulk` makes a pipeline, and each pipeline copies all of BullMQ's scripts. So a single ticket is added without
  // it.
  if (first !== undefined && additions.length === 1) await lane.add(first.name, first.data, first.opts);
  else if (first !== undefined) await lane.addBulk(additions);
  return additions.length;
}
