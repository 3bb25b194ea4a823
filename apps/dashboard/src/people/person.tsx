import { formatPhone } from '../format/phone.js';
import { useContactName } from './contact-name.js';

type PersonProps = {
  /** Digits with country code. Null: hidden or erased. */
  phone: string | null;
  /** Stands there instead of the number. */
  shown?: string;
};

/** A person of a list: the name of the contact with the number below it, or the number alone. */
export function Person({ phone, shown = phone === null ? '—' : formatPhone(phone) }: PersonProps) {
  const name = useContactName(phone);
  if (name === null) return <span className="tabular">{shown}</span>;
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate">{name}</span>
      <span className="text-xs font-normal text-ink-soft tabular">{shown}</span>
    </span>
  );
}
