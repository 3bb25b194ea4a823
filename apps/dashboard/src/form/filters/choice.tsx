import { clsx } from 'clsx';
import { shortenId } from '../../format/format.js';
import { Select } from '../select.js';

type ChoiceProps = {
  label: string;
  any: string;
  value: string | undefined;
  options: readonly (readonly [value: string, name: string])[];
  onChange: (value: string | undefined) => void;
  className?: string;
};

/** A filter with a few values. A value that is not among the options, such as one from a link, stays chosen. */
export function Choice({ label, any, value = '', options, onChange, className }: ChoiceProps) {
  const isKnown = value === '' || options.some(([one]) => one === value);
  return (
    <Select
      className={clsx('min-w-0', className)}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{any}</option>
      {!isKnown && <option value={value}>{shortenId(value)}</option>}
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </Select>
  );
}
