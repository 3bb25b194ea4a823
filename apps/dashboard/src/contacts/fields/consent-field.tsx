import { limits } from '@kurir/contracts/dashboard';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Switch } from '../../form/switch.js';
import { useTexts } from '../../i18n/texts.js';
import { fieldTexts } from './texts.js';

/** Null: no consent is on record. */
type ConsentFieldProps = { source: string | null; onChange: (source: string | null) => void };

export function ConsentField({ source, onChange }: ConsentFieldProps) {
  const t = useTexts(fieldTexts);
  return (
    <div className="flex flex-col gap-3">
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 text-sm font-medium">
        {t.consent}
        <Switch
          aria-label={t.consent}
          checked={source !== null}
          onCheckedChange={(isOn) => onChange(isOn ? '' : null)}
        />
      </label>
      {source !== null && (
        <Field label={t.consentSource} hint={source.trim() === '' ? `${t.noSource} ${t.consentHint}` : t.consentHint}>
          {(links) => (
            <Input
              {...links}
              maxLength={limits.consentSourceMaxLength}
              value={source}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
