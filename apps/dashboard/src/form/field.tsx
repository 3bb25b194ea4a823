import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';

/** The attributes that link an input to its label, hint and error. */
export type FieldLinks = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };

type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: string;
  className?: string;
  children: (links: FieldLinks) => ReactNode;
};

export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  const hasNote = note !== undefined && note !== null;
  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional !== undefined && <span className="text-xs font-normal text-ink-faint">{optional}</span>}
      </label>
      {children({ id, 'aria-describedby': hasNote ? noteId : undefined, 'aria-invalid': error !== undefined })}
      {hasNote && (
        <p
          id={noteId}
          role={error === undefined ? undefined : 'alert'}
          className={clsx('text-xs', error === undefined ? 'text-ink-faint' : 'text-bad')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
