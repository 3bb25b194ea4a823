import { type DataOf, healthReasons } from '@kurir/contracts';
import { readDeviceHealth } from '@kurir/database/health';
import type { Handler } from '../operations/operation-request.js';
import { deviceNotFound } from './require-device.js';

export const deviceHealth: Handler<'deviceHealth'> = async (
  { caller, params },
  { database },
): Promise<DataOf<'deviceHealth'>> => {
  const deviceId = params.device_id;
  const health = await readDeviceHealth(database, caller.accountId, deviceId);
  if (health === null) throw deviceNotFound();
  return {
    device_id: deviceId,
    health: health.word,
    reasons: health.reasons.map((one) => ({ ...one, advice: healthReasons[one.reason] })),
    counted_at: health.countedAt?.toISOString() ?? null,
    days: health.days.map(({ optedOut, ...day }) => ({ ...day, opted_out: optedOut })),
  };
};
