/** Short notes about finished actions. An error belongs to the place where it happened, and here if there is none. */
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';

type Kind = 'done' | 'problem';
type Toast = { id: number; text: string; kind: Kind };

const shownForMs = 4_000;
let toasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export function toast(text: string, kind: Kind = 'done'): void {
  set([...toasts.slice(-2), { id: nextId++, text, kind }]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function ShownToast({ id, text, kind }: Toast) {
  const Icon = kind === 'done' ? CircleCheck : CircleAlert;
  useEffect(() => {
    const timer = setTimeout(() => set(toasts.filter((entry) => entry.id !== id)), shownForMs);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <div className="flex animate-rise items-center gap-2.5 rounded-md bg-ink px-4 py-2.5 text-sm text-paper shadow-float">
      <Icon aria-hidden className="size-4 shrink-0" />
      {text}
    </div>
  );
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-4 z-60 flex sm:top-auto sm:bottom-5 flex-col items-center gap-2"
    >
      {shown.map((entry) => (
        <ShownToast key={entry.id} {...entry} />
      ))}
    </div>
  );
}
