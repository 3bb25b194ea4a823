import type { Redis } from 'ioredis';

/** A process that stood still has received nothing either. So several looks must fail, one after the other. */
const lookEveryMs = 1_000;
const looksInSilence = 5;

/**
 * Reconnects when Redis has not answered a PING for `looksInSilence` looks. If a machine loses its power or a network
 * forgets a connection, nobody is told. The kernel keeps trying for many minutes, and a subscriber never notices.
 *
 * The `socketTimeout` of ioredis also closes the next connection, if the silent one is closed by something else
 * (redis/ioredis#2147).
 *
 * Not for a connection whose commands block. BullMQ opens those itself and ends a read that takes too long. If such a
 * connection is silent from the beginning, the sweep opens the lane again.
 */
export function reconnectOnSilence(redis: Redis): void {
  let silentLooks = 0;
  const hear = () => {
    silentLooks = 0;
  };
  const looking = setInterval(() => {
    // The connection is open, but Redis has not said that it is ready. A PING is not possible yet.
    const isNew = redis.status === 'connect';
    if (redis.status !== 'ready' && !isNew) return hear();
    if (silentLooks === looksInSilence) {
      hear();
      redis.disconnect(true);
      return;
    }
    // If a PING rejects, its time ran out or its connection closed. That is no answer.
    if (!isNew) redis.ping().then(hear, () => undefined);
    silentLooks++;
  }, lookEveryMs).unref();
  redis.on('connect', hear);
  redis.on('ready', hear);
  redis.once('end', () => clearInterval(looking));
}
