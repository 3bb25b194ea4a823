import * as Radix from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

type TabsProps<V extends string> = {
  label: string;
  tabs: readonly { value: V; label: string; content: ReactNode }[];
  value?: V;
  onChange?: (value: V) => void;
};

export function Tabs<V extends string>({ label, tabs, value, onChange }: TabsProps<V>) {
  const change = (chosen: string) => {
    const found = tabs.find((tab) => tab.value === chosen);
    if (found !== undefined) onChange?.(found.value);
  };
  const first = tabs[0]?.value;
  const control =
    value === undefined ? (first === undefined ? {} : { defaultValue: first }) : { value, onValueChange: change };
  return (
    <Radix.Root {...control}>
      <Radix.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-b-2 border-transparent py-2.5 text-sm sm:py-2 font-medium whitespace-nowrap text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-5 outline-none">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
