import type { ReactNode } from 'react';

type EmptyStateProps = { picture?: ReactNode; title: string; children: ReactNode; actions?: ReactNode };

/** Replaces an empty list. Says what the list will show and what to do next. */
export function EmptyState({ picture, title, children, actions }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {picture}
      <h2 className="mt-5 text-lg font-semibold">{title}</h2>
      <div className="mt-1.5 max-w-[46ch] text-ink-soft">{children}</div>
      {actions !== undefined && <div className="mt-6 flex flex-wrap justify-center gap-2.5">{actions}</div>}
    </div>
  );
}
