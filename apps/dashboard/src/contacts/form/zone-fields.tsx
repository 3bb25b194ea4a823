import { useMemo } from 'react';
import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { indonesianZones, localeName, otherZones, usualLocales, zoneName } from '../words.js';
import type { ContactDraft } from './contact-draft.js';
import { formTexts } from './texts.js';

type ZoneFieldsProps = {
  draft: Pick<ContactDraft, 'locale' | 'timeZone'>;
  onChange: (part: Partial<ContactDraft>) => void;
};

/** The language and the time zone of a person. A value that is not in the lists stays chosen. */
export function ZoneFields({ draft: { locale, timeZone }, onChange }: ZoneFieldsProps) {
  const t = useTexts(formTexts);
  const language = useLanguage();
  const others = useMemo(() => otherZones(), []);
  const isKnown = timeZone in indonesianZones || others.includes(timeZone);
  const locales = [...new Set([...usualLocales, locale].filter((one) => one !== ''))];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t.language}>
        {(links) => (
          <Select
            {...links}
            className="w-full"
            value={locale}
            onChange={({ target }) => onChange({ locale: target.value })}
          >
            <option value="">{t.unknown}</option>
            {locales.map((one) => (
              <option key={one} value={one}>
                {localeName(one, language)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t.zone} hint={t.zoneHint}>
        {(links) => (
          <Select
            {...links}
            className="w-full"
            value={timeZone}
            onChange={({ target }) => onChange({ timeZone: target.value })}
          >
            <option value="">{t.unknown}</option>
            {timeZone !== '' && !isKnown && <option value={timeZone}>{timeZone}</option>}
            <optgroup label={t.zones.indonesia}>
              {Object.keys(indonesianZones).map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </optgroup>
            <optgroup label={t.zones.others}>
              {others.map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </optgroup>
          </Select>
        )}
      </Field>
    </div>
  );
}
