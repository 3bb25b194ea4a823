import { limits } from '@kurir/contracts/dashboard';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { defineTexts, useTexts } from '../../i18n/texts.js';
import { readPace } from './pace.js';

const texts = defineTexts(
  {
    pace: 'Messages a minute',
    hint: 'At most so many, over all devices. Empty: as fast as the devices allow.',
    bad: (most: string) => `A whole number from 1 to ${most}.`,
    optional: 'optional',
  },
  {
    pace: 'Pesan per menit',
    hint: 'Paling banyak segini dari semua perangkat. Kosong: secepat yang boleh oleh perangkatnya.',
    bad: (most: string) => `Angka bulat dari 1 sampai ${most}.`,
    optional: 'opsional',
  },
);

export function PaceField({ pace, onChange }: { pace: string; onChange: (pace: string) => void }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const isBad = readPace(pace) === undefined;
  const most = formatCount(limits.broadcastMaxPacePerMinute, language);
  return (
    <Field label={t.pace} optional={t.optional} hint={t.hint} error={isBad ? t.bad(most) : undefined}>
      {(links) => (
        <Input {...links} inputMode="numeric" value={pace} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}
