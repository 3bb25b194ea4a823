/**
 * Notes which version of a key's secret was used, in batches, so that a rotation can be finished with confidence.
 * A batch that cannot be written is dropped: the next use is noted again.
 */
import type { ApiKeyId } from '@kurir/contracts';

export type UsedSecret = { readonly keyId: ApiKeyId; readonly version: number };

export type UsedSecrets = {
  note(keyId: ApiKeyId, version: number): void;
  /** Writes what is left. */
  close(): Promise<void>;
};

export function createUsedSecrets(options: {
  readonly everyMs: number;
  readonly write: (used: readonly UsedSecret[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}): UsedSecrets {
  const used = new Map<ApiKeyId, Set<number>>();

  async function flush(): Promise<void> {
    // In one order, so that two processes cannot wait for each other's rows.
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
