import type { DeviceId } from '@kurir/contracts';
import type { QueueConnection } from '../redis/connect.js';

/** Jobs that stand in Redis per lane, the running one included; null while Redis is away. */
export async function countLaneJobs(
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
    // What stands in Postgres is shown all the same.
    return null;
  }
}
