import { useState } from 'react';
import { Field } from '../../../form/field.js';
import { Input } from '../../../form/input.js';
import { useTexts } from '../../../i18n/texts.js';
import { useNow } from '../../../ui/moment.js';
import { Choice } from '../../fields/choice.js';
import { checkStepTexts } from './texts.js';

const hourMs = 3_600_000;

/** A moment as a `datetime-local` field writes it, in the time of the browser. */
export function localTime(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function WhenField({ sendAt, onChange }: { sendAt: string; onChange: (sendAt: string) => void }) {
  const t = useTexts(checkStepTexts);
  const now = useNow();
  const [isLater, setLater] = useState(sendAt !== '');
  const isLate = sendAt !== '' && !(Date.parse(sendAt) > now);
  const choose = (when: 'now' | 'later') => {
    setLater(when === 'later');
    onChange(when === 'later' ? localTime(new Date(now + hourMs)) : '');
  };
  return (
    <>
      <Choice
        label={t.when}
        name="when"
        value={isLater ? 'later' : 'now'}
        choices={[
          { value: 'now', label: t.whens.now },
          { value: 'later', label: t.whens.later },
        ]}
        onChange={choose}
      />
      {isLater && (
        <Field label={t.sendAt} error={isLate ? t.past : undefined}>
          {(links) => (
            <Input
              {...links}
              type="datetime-local"
              className="sm:max-w-72"
              min={localTime(new Date(now))}
              value={sendAt}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      )}
    </>
  );
}
