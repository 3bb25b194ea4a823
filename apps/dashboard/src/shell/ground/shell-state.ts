/** The state of the shell: which overlay is open. Shortcuts, menus and buttons call `openShell`. */
import { useSyncExternalStore } from 'react';

type Overlay = 'palette' | 'shortcuts' | 'menu' | 'notices' | null;

let overlay: Overlay = null;
const listeners = new Set<() => void>();

export function openShell(next: Overlay): void {
  overlay = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useOverlay = (): Overlay => useSyncExternalStore(subscribe, () => overlay);
