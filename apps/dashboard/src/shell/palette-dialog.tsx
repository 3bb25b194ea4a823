import * as Radix from '@radix-ui/react-dialog';
import { lazy, Suspense } from 'react';
import { useTexts } from '../i18n/texts.js';
import { useFocusReturn } from '../ui/overlays/use-focus-return.js';
import { openShell, useOverlay } from './ground/shell-state.js';
import { shellTexts } from './ground/texts.js';

const Palette = lazy(async () => ({ default: (await import('./palette/palette.js')).Palette }));

export function PaletteDialog() {
  const t = useTexts(shellTexts);
  const isOpen = useOverlay() === 'palette';
  const focusReturn = useFocusReturn(isOpen);
  const close = () => openShell(null);
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focusReturn}
          aria-describedby={undefined}
          className="fixed inset-x-3 top-3 z-50 flex max-h-[70dvh] min-h-13 animate-rise flex-col overflow-hidden rounded-lg bg-surface shadow-float outline-none sm:inset-x-auto sm:top-[12vh] sm:left-1/2 sm:w-[36rem] sm:-translate-x-1/2"
        >
          <Radix.Title className="sr-only">{t.palette}</Radix.Title>
          <Suspense fallback={null}>
            <Palette onClose={close} />
          </Suspense>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
