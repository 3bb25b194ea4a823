/** A bell for the dashboard's live pages: something that an account can see has changed. What it was, Postgres says. */
import { liveChannel } from '../redis/channels.js';
import type { QueueConnection } from '../redis/connect.js';
import { subscribe } from '../redis/subscribe.js';

/** However much happens: one ring tells of all of it. */
const quietMs = 100;

/** Rings at most every 100 ms, never throws and never waits; nobody hears it while Redis is away. */
export function createLiveBell(connection: QueueConnection, now: () => number = () => performance.now()): () => void {
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

export const hearLiveBell = (connection: QueueConnection, onRing: () => void): Promise<void> =>
  subscribe(connection, liveChannel(connection), onRing);
