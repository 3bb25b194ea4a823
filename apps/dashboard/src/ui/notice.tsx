import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Tone, toneFill } from './tone.js';

const icons = { neutral: Info, accent: Info, ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

type NoticeProps = { tone?: Tone; title?: ReactNode; children?: ReactNode; action?: ReactNode; live?: boolean };

export function Notice({ tone = 'neutral', title, children, action, live = false }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      role={live ? 'alert' : undefined}
      className={clsx('flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-4 py-3 text-sm', toneFill[tone])}
    >
      <Icon aria-hidden className="size-4.5 shrink-0 self-start mt-0.5" />
      <div className="min-w-0 flex-1 basis-56">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="break-words text-ink">{children}</div>}
      </div>
      {action}
    </div>
  );
}
