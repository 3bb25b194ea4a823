import { type ReactNode, useEffect } from 'react';

type PageProps = { title: string; note?: ReactNode; actions?: ReactNode; before?: ReactNode; children: ReactNode };

/** The frame of every page: its title, a line about its purpose, and its actions. */
export function Page({ title, note, actions, before, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Kurir`;
  }, [title]);
  return (
    <div className="mx-auto flex w-full max-w-[1120px] animate-rise flex-col gap-6 px-4 py-6 *:min-w-0 sm:px-8 sm:py-9">
      <header className="flex flex-col gap-3">
        {before}
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0">
            <h1 tabIndex={-1} className="text-2xl font-semibold tracking-[-0.024em] break-words outline-none">
              {title}
            </h1>
            {note !== undefined && <p className="mt-1 max-w-[62ch] text-ink-soft">{note}</p>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      </header>
      {children}
    </div>
  );
}
