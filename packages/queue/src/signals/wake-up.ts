/** A bell for intent that is already stored: it makes it fast, the sweep makes it certain. */
import { type DeviceId, isDeviceId } from '@kurir/contracts';
import { wakeChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { subscribe } from '../redis/subscribe.js';

/** Tells the workers that what a customer wants of a device has changed. Never rejects. */
export async function wakeHolder(connection: QueueConnection, deviceId: DeviceId): Promise<void> {
  // Nobody hears it while Redis is away; the next sweep sees the change.
  await connection.commands.publish(wakeChannel(connection), deviceId).catch(() => undefined);
}

export async function serveWakeUps(connection: QueueConnection, onWakeUp: (deviceId: DeviceId) => void): Promise<void> {
  await subscribe(connection, wakeChannel(connection), (text) => {
    if (isDeviceId(text)) onWakeUp(text);
  });
}
