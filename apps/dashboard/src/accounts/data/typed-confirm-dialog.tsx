import { type FormEvent, useState } from 'react';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Dialog } from '../../ui/overlays/dialog.js';

type TypedConfirmDialogProps = {
  onClose: () => void;
  title: string;
  note: string;
  /** Asks for the text. */
  label: string;
  /** The text that the person must type. Case does not matter; the gateway decides. */
  expected: string;
  action: string;
  onConfirm: (typed: string) => void;
  busy: boolean;
  failure: Error | null;
};

/** Asks for a typed text before an action that nobody can undo and that reaches far. */
export function TypedConfirmDialog({
  onClose,
  title,
  note,
  label,
  expected,
  action,
  onConfirm,
  busy,
  failure,
}: TypedConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const isRight = typed.trim().toLowerCase() === expected.trim().toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isRight) onConfirm(typed.trim());
  };
  return (
    <Dialog open onClose={onClose} title={title} note={note}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field label={<span className="break-words">{label}</span>}>
          {(links) => (
            <Input
              {...links}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
        <FailureNotice failure={failure} />
        <Button type="submit" look="danger" className="self-start" disabled={!isRight} busy={busy}>
          {action}
        </Button>
      </form>
    </Dialog>
  );
}
