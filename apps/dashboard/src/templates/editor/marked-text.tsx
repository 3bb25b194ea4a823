import { type Piece, scanTemplate } from '@kurir/contracts/dashboard';
import { clsx } from 'clsx';
import type { ComponentProps, RefObject } from 'react';

/** Both layers must break their lines at the same places. */
const layer =
  'w-full rounded-md border px-3 py-2 text-[16px] leading-relaxed whitespace-pre-wrap break-words sm:text-sm';

const looks = { value: 'bg-accent-soft', pick: 'bg-ok-soft', problem: 'bg-bad-soft underline decoration-wavy' };

function lookOf({ part }: Piece): string | null {
  if (part === null) return clsx(looks.problem, 'decoration-bad');
  return part.kind === 'text' ? null : looks[part.kind];
}

type MarkedTextProps = Omit<ComponentProps<'textarea'>, 'value' | 'className' | 'ref'> & {
  value: string;
  field: RefObject<HTMLTextAreaElement | null>;
};

/**
 * A field that marks variables and mistakes. A layer below the text has the marks; it also gives the field its height. A
 * screen reader hears only the field.
 */
export function MarkedText({ value, field, ...rest }: MarkedTextProps) {
  return (
    <div className="relative">
      <div aria-hidden className={clsx(layer, 'min-h-44 border-transparent bg-surface text-transparent select-none')}>
        {scanTemplate(value).map((piece) => {
          const look = lookOf(piece);
          const text = value.slice(piece.from, piece.to);
          return look === null ? (
            text
          ) : (
            <mark key={piece.from} className={clsx('rounded-sm text-transparent', look)}>
              {text}
            </mark>
          );
        })}
        {'\u200b'}
      </div>
      <textarea
        {...rest}
        ref={field}
        value={value}
        dir="auto"
        spellCheck={false}
        className={clsx(
          layer,
          'absolute inset-0 size-full resize-none overflow-hidden border-field bg-transparent text-ink placeholder:text-ink-faint',
          'hover:border-ink-faint focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent/40 aria-invalid:border-bad',
        )}
      />
    </div>
  );
}
