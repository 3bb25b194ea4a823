/** The key that was made last in this tab, with its secret, for the code samples. Only in memory, never stored. */
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
