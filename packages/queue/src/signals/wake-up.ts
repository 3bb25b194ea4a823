/** A signal for a wish that is already stored. The signal makes it fast, the sweep makes it certain. */
import { type DeviceId, isDeviceId } from '@kurir/contracts';
import { wakeChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { subscribe } from '../redis/subscribe.js';

/** Tells the workers that a customer changed a device. Never rejects. */
export async function wakeOwner(connection: QueueConnection, deviceId: DeviceId): Promise<void> {
  // While Redis is away, the signal is lost. The next sweep finds the change.
  await connection.commands.publish(wakeChannel(connection), deviceId).catch(() => undefined);
}

export async function serveWakeUps(connection: QueueConnection, onWakeUp: (deviceId: DeviceId) => void): Promise<void> {
  await subscribe(connection, wakeChannel(connection), (text) => {
    if (isDeviceId(text)) onWakeUp(text);
  });
}
