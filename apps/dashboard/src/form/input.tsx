import { clsx } from 'clsx';
import type { ComponentProps } from 'react';

/** Text is large on small screens, because a phone zooms into a field with small text. */
export const inputLook = clsx(
  'w-full rounded-md border border-field bg-surface px-3 text-[16px] text-ink sm:text-sm',
  'placeholder:text-ink-faint hover:border-ink-faint focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent/40',
  'aria-invalid:border-bad disabled:opacity-60',
);

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={clsx(inputLook, 'h-10', className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={4} {...rest} className={clsx(inputLook, 'py-2 leading-relaxed', className)} />;
}
