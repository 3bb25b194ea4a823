import { scanTemplate } from '@kurir/contracts/dashboard';
import type { ReactNode } from 'react';

/** The text of a broadcast. Each person gets another text in place of a mark. */
export function MessageText({ text }: { text: string }): ReactNode {
  return scanTemplate(text).map(({ part, from, to }) => {
    if (part === null || part.kind === 'text') return part?.text ?? text.slice(from, to);
    return (
      <mark key={from} className="rounded-sm bg-surface px-1.5 py-0.5 text-ink">
        {part.kind === 'value' ? part.name : part.options.join(' / ')}
      </mark>
    );
  });
}
