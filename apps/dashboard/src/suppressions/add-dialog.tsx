import { type SyntheticEvent, useState } from 'react';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { formatCount } from '../format/format.js';
import { ApiFailure } from '../http/api-failure.js';
import { useCall } from '../http/use-call.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { toast } from '../ui/overlays/toasts.js';
import { type Choice, ChoiceFields } from './choice-fields.js';
import { suppressionTexts } from './texts.js';

export function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressionTexts);
  const language = useLanguage();
  const [number, setNumber] = useState('');
  const [choice, setChoice] = useState<Choice>({ scope: 'marketing', reason: 'manual' });
  const add = useCall('addSuppressions', ['listSuppressions']);
  const isWrong = add.error instanceof ApiFailure && add.error.code === 'INVALID_PHONE_NUMBER';
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    add.mutate(
      { body: { phone: number, ...choice } },
      {
        onSuccess: ({ added, cancelled }) => {
          onClose();
          toast(added === 0 ? t.addedBefore : t.added(formatCount(cancelled, language)));
        },
      },
    );
  };
  return (
    <Dialog open onClose={onClose} title={t.add} note={t.addNote}>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field label={t.number} hint={t.numberHint} error={isWrong ? t.wrongNumber : undefined}>
          {(links) => (
            <Input {...links} inputMode="tel" value={number} onChange={({ target }) => setNumber(target.value)} />
          )}
        </Field>
        <ChoiceFields choice={choice} onChange={setChoice} />
        {!isWrong && <FailureNotice failure={add.error} />}
        <Button type="submit" look="primary" size="large" busy={add.isPending} disabled={number.trim() === ''}>
          {t.add}
        </Button>
      </form>
    </Dialog>
  );
}
