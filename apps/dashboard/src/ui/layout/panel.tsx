import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={clsx('rounded-lg border border-line bg-surface shadow-lift', className)} />;
}

type PanelHeadProps = {
  title: ReactNode;
  note?: ReactNode;
  actions?: ReactNode;
  /** Gives the heading the focus when the panel appears, and scrolls it into view. */
  takesFocus?: boolean;
};

const focus = (heading: HTMLElement | null) => heading?.focus();

export function PanelHead({ title, note, actions, takesFocus = false }: PanelHeadProps) {
  return (
    <div className="flex items-start justify-between gap-x-4 px-5 pt-4 pb-3">
      <div className="min-w-0">
        <h2
          className="scroll-mt-20 text-base font-semibold outline-none"
          {...(takesFocus ? { ref: focus, tabIndex: -1 } : {})}
        >
          {title}
        </h2>
        {note !== undefined && <p className="mt-0.5 max-w-prose text-sm text-ink-soft">{note}</p>}
      </div>
      {actions !== undefined && <div className="shrink-0">{actions}</div>}
    </div>
  );
}
