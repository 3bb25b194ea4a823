/**
 * API keys in memory, for less than the 5 s within which a revocation must work on every process. Unknown keys are
 * remembered too, apart and for less long, so that a flood of them costs neither Postgres nor the known ones. A new
 * secret counts at once: what memory would refuse is asked for anew.
 */
import type { LiveApiKey } from '@kurir/database';
import { LRUCache } from 'lru-cache';

/** Counted from before the question, so that a slow answer is not kept for longer. */
const knownForMs = 4_000;
const unknownForMs = 1_000;
const maxKeys = 10_000;

const keyPattern = /^kk_(live|test)_[0-9A-Za-z]{1,64}$/;

export type ApiKeyCache = {
  /** The live key, or null. Rejects when it is not in memory and cannot be read. */
  read(keyId: string): Promise<LiveApiKey | null>;
  /** The same, from a question put after the call: for a request that fits none of the secrets in memory. */
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

  /** One question for all that ask at the same time. */
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
      // What is being asked already may be answered from before. A flood waits for one question at a time.
      await pending.get(keyId)?.catch(() => null);
      return readOnce(keyId);
    },
  };
}
