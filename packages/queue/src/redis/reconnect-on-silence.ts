import type { Redis } from 'ioredis';

/** A process that stood still for a while has heard nothing, either: one look only counts once. */
const lookEveryMs = 1_000;
const looksInSilence = 5;

/**
 * Connects anew when Redis has not answered a PING for five seconds. A machine that loses its power, or a network that forgets a
 * connection, tells nobody, and the kernel goes on trying for a quarter of an hour; who only listens would never know. (ioredis'
 * own `socketTimeout` also closes the next connection, when the one that it has waited for is closed by something else:
 * redis/ioredis#2147.)
 *
 * Not for a connection whose commands block. BullMQ makes those for itself and ends a read that takes too long; one that is silent
 * from its beginning leaves its lane to the sweep, which opens it anew.
 */
export function reconnectOnSilence(redis: Redis): void {
  let silentLooks = 0;
  const hear = () => {
    silentLooks = 0;
  };
  const looking = setInterval(() => {
    // Connected, and not yet told that Redis is ready; there is nothing to ask before.
    const isNew = redis.status === 'connect';
    if (redis.status !== 'ready' && !isNew) return hear();
    if (silentLooks === looksInSilence) {
      hear();
      redis.disconnect(true);
      return;
    }
    // One that is rejected was not answered: its time was over, or its connection, and the next one begins anew.
    if (!isNew) redis.ping().then(hear, () => undefined);
    silentLooks++;
  }, lookEveryMs).unref();
  redis.on('connect', hear);
  redis.on('ready', hear);
  redis.once('end', () => clearInterval(looking));
}
