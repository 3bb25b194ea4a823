/**
 * The bell of a lane whose otps keep coming: its worker listens, and most of them need no job. Redis tells who rings how many
 * listen. That somebody listens does not say that it is the lane's present worker, nor that it still hears: one that stopped in
 * the middle of everything is counted until its connection ends. So rings come on top of a job now and then (enqueue.ts).
 */
import type { DeviceId } from '@kurir/contracts';
import { otpChannel } from './channels.js';
import type { QueueConnection } from './connect.js';

/** Rings for otps that are committed; answers whether anybody listened. Rejects when Redis is away. */
export async function ringForOtps(connection: QueueConnection, deviceId: DeviceId): Promise<boolean> {
  return (await connection.commands.publish(otpChannel(connection, deviceId), '')) > 0;
}

export type OtpBell = {
  /** Calls `onRing` for each ring of the device, until the answer is called and Redis has heard of it. */
  listen(deviceId: DeviceId, onRing: () => void): () => void;
};

type Listener = { readonly onRing: () => void };

/** One connection for the bells of all devices that a worker holds. Failures are nobody's: unheard, otps have jobs. */
export function createOtpBell(connection: QueueConnection): OtpBell {
  const redis = connection.patient();
  const listeners = new Map<string, Listener>();
  redis.on('message', (channel: string) => listeners.get(channel)?.onRing());

  async function mute(channel: string, listener: Listener): Promise<void> {
    // Whoever listens in its place keeps the channel.
    if (listeners.get(channel) !== listener) return;
    await redis.unsubscribe(channel).catch(() => undefined);
    // Not before: somebody may have rung in the meantime, and counts on it.
    if (listeners.get(channel) === listener) listeners.delete(channel);
  }

  return {
    listen(deviceId, onRing) {
      const channel = otpChannel(connection, deviceId);
      const listener = { onRing };
      listeners.set(channel, listener);
      redis.subscribe(channel).catch(() => undefined);
      return () => void mute(channel, listener);
    },
  };
}
