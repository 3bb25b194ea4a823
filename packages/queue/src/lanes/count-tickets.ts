import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';

/** Counts the tickets of each lane in Redis, with the running one. Returns null while Redis is away. */
export async function countTickets(
  connection: QueueConnection,
  deviceIds: readonly DeviceId[],
): Promise<Map<DeviceId, number> | null> {
  try {
    const counts = await Promise.all(
      deviceIds.map(async (deviceId): Promise<[DeviceId, number]> => {
        const queue = connection.laneQueue(deviceId);
        return [deviceId, await queue.getJobCountByTypes('active', 'waiting', 'prioritized', 'delayed')];
      }),
    );
    return new Map(counts);
  } catch {
    // The caller shows the counts of Postgres without these.
    return null;
  }
}
