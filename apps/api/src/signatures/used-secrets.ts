/**
 * Stores in batches which secrets of a key were used, so that people know when a rotation is complete. If a write
 * fails, the batch is dropped, because the next use is noted again.
 */
import type { ApiKeyId } from '@kurir/contracts';

export type UsedSecret = { readonly keyId: ApiKeyId; readonly version: number };

export type UsedSecrets = {
  note(keyId: ApiKeyId, version: number): void;
  /** Writes the last batch. */
  close(): Promise<void>;
};

export function createUsedSecrets(options: {
  readonly everyMs: number;
  readonly write: (used: readonly UsedSecret[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}): UsedSecrets {
  const used = new Map<ApiKeyId, Set<number>>();

  async function flush(): Promise<void> {
    // All processes write in the same order, so that they cannot deadlock.
    const batch = [...used]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([keyId, versions]) => [...versions].map((version) => ({ keyId, version })));
    used.clear();
    if (batch.length > 0) await options.write(batch).catch(options.onError);
  }

  const timer = setInterval(() => void flush(), options.everyMs);
  timer.unref();

  return {
    note(keyId, version) {
      const versions = used.get(keyId);
      if (versions === undefined) used.set(keyId, new Set([version]));
      else versions.add(version);
    },
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}
