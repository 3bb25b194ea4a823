/**
 * Keeps API keys in memory for a few seconds, because a revocation must soon work on every process. Unknown keys are
 * kept apart and for a shorter time, so that a flood of them reaches neither Postgres nor the known keys. A new secret
 * works at once: before the api refuses a known key, it reads the key again. Wrong signatures for one key wait for each
 * other, so that a flood of them costs a few queries a second.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveApiKey } from '@kurir/database';
import { LRUCache } from 'lru-cache';

/** The time begins before the query, so that a slow query does not keep a key for longer. */
const knownForMs = 4_000;
const unknownForMs = 1_000;
const maxKeys = 10_000;
/** Two queries of `readAnew` for one key begin at least so far apart. */
const anewEveryMs = 250;

const keyPattern = /^kk_(live|test)_[0-9A-Za-z]{1,64}$/;

export type ApiKeyCache = {
  /** Resolves with the live key, or null. Rejects if the key is not in memory and the query fails. */
  read(keyId: string): Promise<LiveApiKey | null>;
  /** The same, from a query that starts after the call. It serves a request that fits no secret in memory. */
  readAnew(keyId: string): Promise<LiveApiKey | null>;
};

export function createApiKeyCache(
  readKey: (keyId: string) => Promise<LiveApiKey | null>,
  now: () => number = () => performance.now(),
): ApiKeyCache {
  const perf = { now };
  const known = new LRUCache<string, LiveApiKey>({ max: maxKeys, ttl: knownForMs, ttlResolution: 0, perf });
  const unknown = new LRUCache<string, true>({ max: maxKeys, ttl: unknownForMs, ttlResolution: 0, perf });
  const pending = new Map<string, Promise<LiveApiKey | null>>();
  const readAnewAt = new LRUCache<string, number>({ max: maxKeys, ttl: anewEveryMs, ttlResolution: 0, perf });
  /** The calls of `readAnew` whose query has not begun. */
  const waiting = new Map<string, Promise<LiveApiKey | null>>();

  async function readAndKeep(keyId: string): Promise<LiveApiKey | null> {
    const start = now();
    try {
      const key = await readKey(keyId);
      if (key === null) {
        known.delete(keyId);
        unknown.set(keyId, true, { start });
      } else known.set(keyId, key, { start });
      return key;
    } finally {
      pending.delete(keyId);
    }
  }

  /** Runs one query for all parallel calls. */
  function readOnce(keyId: string): Promise<LiveApiKey | null> {
    const running = pending.get(keyId) ?? readAndKeep(keyId);
    pending.set(keyId, running);
    return running;
  }

  async function queryLater(keyId: string): Promise<LiveApiKey | null> {
    const lastAt = readAnewAt.get(keyId);
    // Also without a wait it must not return before `readAnew` has noted it.
    await delay(lastAt === undefined ? 0 : Math.max(0, lastAt + anewEveryMs - now()));
    // A running query may have started before the new secret.
    await pending.get(keyId)?.catch(() => null);
    waiting.delete(keyId);
    readAnewAt.set(keyId, now());
    return readOnce(keyId);
  }

  return {
    async read(keyId) {
      const key = known.get(keyId);
      if (key !== undefined) return key;
      if (!keyPattern.test(keyId) || unknown.get(keyId)) return null;
      return readOnce(keyId);
    },
    readAnew(keyId) {
      // A query that has not begun is late enough for this call, too.
      const joined = waiting.get(keyId) ?? queryLater(keyId);
      waiting.set(keyId, joined);
      return joined;
    },
  };
}
