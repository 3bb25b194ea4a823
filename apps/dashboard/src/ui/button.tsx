import { Slot } from '@radix-ui/react-slot';
import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { Spinner } from './spinner.js';

type Look = 'primary' | 'secondary' | 'quiet' | 'quiet-danger' | 'danger';

const looks: Record<Look, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong shadow-lift',
  secondary: 'bg-surface text-ink border border-line-strong hover:border-field hover:bg-sunken shadow-lift',
  quiet: 'text-ink-soft hover:text-ink hover:bg-sunken',
  'quiet-danger': 'text-bad hover:bg-bad-soft',
  danger: 'bg-bad-strong text-[oklch(0.99_0_0)] hover:brightness-90 shadow-lift',
};

/** Buttons are larger on small screens, because a finger needs more room than a mouse. */
const sizes = {
  small: 'h-10 sm:h-8 px-2.5 text-sm gap-1.5',
  medium: 'h-10 sm:h-9.5 px-3.5 text-sm gap-2',
  large: 'h-11 px-5 text-base gap-2',
  icon: 'size-10 sm:size-9 justify-center',
} as const;

export type ButtonProps = ComponentProps<'button'> & {
  look?: Look;
  size?: keyof typeof sizes;
  /** Shows a spinner and disables the button while work is in flight. */
  busy?: boolean;
  /** Draws its only child, usually a link, as the button. */
  asChild?: boolean;
};

export function Button({
  look = 'secondary',
  size = 'medium',
  busy,
  asChild,
  className,
  children,
  ...rest
}: ButtonProps) {
  const classes = clsx(
    'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap select-none',
    'transition-colors duration-100 disabled:pointer-events-none disabled:opacity-55',
    looks[look],
    sizes[size],
    className,
  );
  if (asChild === true) {
    return (
      <Slot className={classes} {...rest}>
        {children}
      </Slot>
    );
  }
  return (
    <button type="button" aria-busy={busy} {...rest} disabled={rest.disabled || busy} className={classes}>
      {busy === true && <Spinner />}
      {children}
    </button>
  );
}
