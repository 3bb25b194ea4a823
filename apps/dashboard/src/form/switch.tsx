import * as Radix from '@radix-ui/react-switch';
import type { ComponentProps } from 'react';

type SwitchProps = ComponentProps<typeof Radix.Root> & { 'aria-label': string };

/** Its target is 44 px large, although it looks smaller. */
export function Switch(props: SwitchProps) {
  return (
    <Radix.Root
      {...props}
      className="relative h-6 w-10 shrink-0 rounded-full bg-field transition-colors before:absolute before:-inset-x-0.5 before:-inset-y-2.5 before:content-[''] disabled:opacity-50 data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="block size-4.5 translate-x-[3px] rounded-full bg-surface shadow-lift transition-transform data-[state=checked]:translate-x-[19px]" />
    </Radix.Root>
  );
}
