import * as Radix from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.js';
import { useFocusReturn } from './use-focus-return.js';

const texts = defineTexts({ close: 'Close' }, { close: 'Tutup' });

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  note?: ReactNode;
  /** A card is in the middle; a sheet is at the right edge, at full height. */
  shape?: 'card' | 'wide-card' | 'sheet';
  children: ReactNode;
};

const shapes = {
  card: 'inset-x-3 bottom-3 sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-[12vh] sm:w-[30rem] sm:-translate-x-1/2 max-h-[85dvh] rounded-lg animate-rise',
  'wide-card':
    'inset-x-3 bottom-3 sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-[7vh] sm:w-[44rem] sm:max-w-[94vw] sm:-translate-x-1/2 max-h-[88dvh] rounded-lg animate-rise',
  sheet: 'inset-y-0 right-0 w-full sm:w-[31rem] animate-slide sm:rounded-l-lg',
};

export function Dialog({ open, onClose, title, note, shape = 'card', children }: DialogProps) {
  const t = useTexts(texts);
  const focusReturn = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focusReturn}
          {...(note === undefined ? { 'aria-describedby': undefined } : {})}
          className={clsx(
            'fixed z-50 flex flex-col overflow-hidden bg-surface shadow-float outline-none',
            shapes[shape],
          )}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5 pb-4">
            <div className="min-w-0">
              <Radix.Title className="text-lg font-semibold break-words">{title}</Radix.Title>
              {note !== undefined && (
                <Radix.Description className="mt-1 text-sm text-ink-soft">{note}</Radix.Description>
              )}
            </div>
            <Radix.Close
              aria-label={t.close}
              className="-mt-1 -mr-2 grid size-10 shrink-0 sm:size-9 place-items-center rounded-md text-ink-faint hover:bg-sunken hover:text-ink"
            >
              <X aria-hidden className="size-4.5" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-6 pb-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
