/**
 * Keeps API keys in memory for a few seconds, because a revocation must soon work on every process. Unknown keys are
 * kept apart and for a shorter time, so that a flood of them reaches neither Postgres nor the known keys. A new secret
 * works at once: before the api refuses a known key, it reads the key again.
 */
import type { LiveApiKey } from '@kurir/database';
import { LRUCache } from 'lru-cache';

/** The time begins before the query, so that a slow query does not keep a key for longer. */
const knownForMs = 4_000;
const unknownForMs = 1_000;
const maxKeys = 10_000;

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

  return {
    async read(keyId) {
      const key = known.get(keyId);
      if (key !== undefined) return key;
      if (!keyPattern.test(keyId) || unknown.get(keyId)) return null;
      return readOnce(keyId);
    },
    async readAnew(keyId) {
      // A running query may have started before the new secret. A flood of calls runs one query at a time.
      await pending.get(keyId)?.catch(() => null);
      return readOnce(keyId);
    },
  };
}
