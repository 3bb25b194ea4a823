import * as Radix from '@radix-ui/react-switch';
import type { ComponentProps } from 'react';

export function Switch(props: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      {...props}
      className="relative h-6 w-10 shrink-0 rounded-full bg-field transition-colors disabled:opacity-50 data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="block size-4.5 translate-x-[3px] rounded-full bg-surface shadow-lift transition-transform data-[state=checked]:translate-x-[19px]" />
    </Radix.Root>
  );
}
