import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Input } from '../input.js';

const typingPauseMs = 250;

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (text: string) => void };

/** Calls `onChange` when the person pauses. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), typingPauseMs);
    return () => clearTimeout(timer);
    // Only new text starts the pause: a new `onChange` must not start it again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text]);
  return (
    <span className="relative col-span-2 flex-1 sm:min-w-56 sm:basis-64">
      <SearchIcon aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-faint" />
      <Input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pl-9"
        maxLength={64}
      />
    </span>
  );
}
