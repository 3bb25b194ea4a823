import * as Radix from '@radix-ui/react-alert-dialog';
import type { ReactNode } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.js';
import { Button } from '../button.js';
import { FailureNotice } from '../failure-notice.js';
import { useFocusReturn } from './use-focus-return.js';

const texts = defineTexts({ keep: 'Back' }, { keep: 'Kembali' });

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** A verb that names the action, never "OK". */
  action: string;
  onConfirm: () => void;
  busy: boolean;
  failure: Error | null;
};

/** Asks before an action that nobody can undo. The harmless button has the focus. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  action,
  onConfirm,
  busy,
  failure,
}: ConfirmDialogProps) {
  const t = useTexts(texts);
  const focusReturn = useFocusReturn(open);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focusReturn}
          className="fixed inset-x-3 bottom-3 z-50 animate-rise rounded-lg bg-surface p-6 shadow-float outline-none sm:inset-x-auto sm:top-[18vh] sm:bottom-auto sm:left-1/2 sm:w-[27rem] sm:-translate-x-1/2"
        >
          <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
          <Radix.Description asChild>
            <div className="mt-2 text-sm text-ink-soft">{children}</div>
          </Radix.Description>
          {failure !== null && (
            <div className="mt-4">
              <FailureNotice failure={failure} />
            </div>
          )}
          <div className="mt-6 flex flex-row-reverse flex-wrap gap-2">
            <Button look="danger" busy={busy} onClick={onConfirm}>
              {action}
            </Button>
            <Radix.Cancel asChild>
              <Button>{t.keep}</Button>
            </Radix.Cancel>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
