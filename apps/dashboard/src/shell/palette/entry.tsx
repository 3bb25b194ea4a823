import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { Kbd } from '../../ui/kbd.js';

/** Returns a function that closes the palette and then calls `act`. */
export type Choose = (act: () => unknown) => () => void;

export const headingLook =
  '[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-soft';

type EntryProps = {
  /** Unlike that of each other entry. */
  value: string;
  /** The name and other words, in both languages. */
  words: readonly string[];
  icon: ReactNode;
  keys?: readonly string[];
  onSelect: () => void;
  children: ReactNode;
};

export function Entry({ value, words, icon, keys = [], onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      keywords={[...words]}
      onSelect={onSelect}
      className="flex cursor-pointer items-center gap-3 rounded-md px-3 py-2 text-sm data-[selected=true]:bg-accent-soft [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-faint"
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      <span aria-hidden className="flex gap-1">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </span>
    </Command.Item>
  );
}
