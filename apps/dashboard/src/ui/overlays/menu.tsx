import * as Radix from '@radix-ui/react-dropdown-menu';
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

type MenuProps = { trigger: ReactNode; align?: 'start' | 'end'; side?: 'top' | 'bottom'; children: ReactNode };

export function Menu({ trigger, align = 'end', side = 'bottom', children }: MenuProps) {
  return (
    // Not modal: a person can still use and scroll the page around the menu.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={10}
          className="z-50 max-h-[70dvh] min-w-52 animate-fade overflow-y-auto rounded-lg bg-surface p-1.5 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const itemLook =
  'flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2.5 text-sm outline-none sm:py-1.5 data-highlighted:bg-sunken data-disabled:opacity-50 [&>svg]:size-4 [&>svg]:text-ink-faint';

export function MenuItem({
  danger = false,
  className,
  ...rest
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return <Radix.Item {...rest} className={clsx(itemLook, danger && 'text-bad [&>svg]:text-bad', className)} />;
}

type MenuChoiceProps<V extends string> = {
  label: string;
  value: V;
  choices: readonly { value: V; label: ReactNode }[];
  onChoose: (value: V) => void;
};

/** A choice of one value; a tick marks the chosen value. */
export function MenuChoice<V extends string>({ label, value, choices, onChoose }: MenuChoiceProps<V>) {
  const choose = (chosen: string) => {
    const found = choices.find((choice) => choice.value === chosen);
    if (found !== undefined) onChoose(found.value);
  };
  return (
    <>
      <Radix.Label className="px-2.5 pt-2 pb-1 text-xs text-ink-faint">{label}</Radix.Label>
      <Radix.RadioGroup value={value} onValueChange={choose}>
        {choices.map((choice) => (
          <Radix.RadioItem key={choice.value} value={choice.value} className={itemLook}>
            <span className="min-w-0 flex-1 truncate">{choice.label}</span>
            <Radix.ItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </Radix.ItemIndicator>
          </Radix.RadioItem>
        ))}
      </Radix.RadioGroup>
    </>
  );
}

export const MenuLine = () => <Radix.Separator className="my-1.5 h-px bg-line" />;
