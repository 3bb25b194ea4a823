/**
 * A signal for the live pages of the dashboard: something changed that an account can see. Postgres knows what it was.
 */
import { liveChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { subscribe } from '../redis/subscribe.js';

/** Changes within this time share one signal. */
const quietMs = 100;

/** Sends a signal at most once in `quietMs`. Never throws and never waits. While Redis is away, the signal is lost. */
export function createLiveSignal(connection: QueueConnection, now: () => number = () => performance.now()): () => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  let pending = false;
  const publish = () => {
    pending = false;
    lastAt = now();
    connection.commands.publish(liveChannel(connection), '').catch(() => undefined);
  };
  return () => {
    if (pending) return;
    const waitMs = lastAt + quietMs - now();
    if (waitMs <= 0) return publish();
    pending = true;
    setTimeout(publish, waitMs).unref();
  };
}

export const onLiveSignal = (connection: QueueConnection, onRing: () => void): Promise<void> =>
  subscribe(connection, liveChannel(connection), onRing);
