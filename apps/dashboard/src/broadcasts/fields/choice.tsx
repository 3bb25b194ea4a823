import { clsx } from 'clsx';
import type { ReactNode } from 'react';

type ChoiceProps<V extends string> = {
  label: string;
  name: string;
  value: V;
  choices: readonly { value: V; label: ReactNode; note?: ReactNode }[];
  onChange: (value: V) => void;
  /** Long ones stand one below the other, also on a wide screen. */
  stacked?: boolean;
};

/** One of a few, each as large as a finger. */
export function Choice<V extends string>({ label, name, value, choices, onChange, stacked = false }: ChoiceProps<V>) {
  return (
    <fieldset className={clsx('flex min-w-0 flex-col gap-2', !stacked && 'sm:flex-row sm:flex-wrap')}>
      <legend className="pb-1.5 text-sm font-medium">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-12 flex-1 cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3.5 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="size-5 shrink-0 accent-accent"
            checked={value === choice.value}
            onChange={() => onChange(choice.value)}
          />
          <span className="min-w-0">
            <span className="block font-medium">{choice.label}</span>
            {choice.note !== undefined && <span className="block text-xs text-ink-soft">{choice.note}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
