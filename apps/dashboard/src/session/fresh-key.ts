/** Remembers the last key that this tab created, with its secret, for the code samples. Keeps it in memory only. */
import { useSyncExternalStore } from 'react';

type FreshKey = { apiKey: string; apiSecret: string };

let fresh: FreshKey | null = null;
const listeners = new Set<() => void>();

export function rememberFreshKey(key: FreshKey | null): void {
  fresh = key;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useFreshKey = (): FreshKey | null => useSyncExternalStore(subscribe, () => fresh);
