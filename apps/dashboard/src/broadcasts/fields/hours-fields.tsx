import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import type { Category } from '../category-texts.js';
import { Choice } from './choice.js';
import { shownClock } from './hours-of.js';
import { areLongEnough, hoursKinds, kindOf, type Rules, usualHours } from './rules.js';
import { rulesTexts } from './rules-texts.js';

type HoursFieldsProps = { rules: Rules; category: Category; onChange: (part: Partial<Rules>) => void };

/** The hours in which messages go out. Only promotions have usual ones. */
export function HoursFields({ rules, category, onChange }: HoursFieldsProps) {
  const t = useTexts(rulesTexts);
  const language = useLanguage();
  const kind = kindOf(rules, category);
  const kinds = hoursKinds.filter((one) => one !== 'usual' || category === 'marketing');
  const usual = t.kinds.usual(shownClock(usualHours.from, language), shownClock(usualHours.to, language));
  return (
    <div className="flex flex-col gap-4">
      <Choice
        stacked
        label={t.hours}
        name="hours"
        value={kind}
        choices={kinds.map((value) => ({
          value,
          label: value === 'usual' ? usual : t.kinds[value],
          ...(value === 'own' || category !== 'marketing' ? {} : { note: t.notes[value] }),
        }))}
        onChange={(hours) => onChange({ hours })}
      />
      {kind === 'own' && <OwnHours rules={rules} onChange={onChange} />}
    </div>
  );
}

const halfHours = Array.from(
  { length: 49 },
  (_, i) => `${String(Math.floor(i / 2)).padStart(2, '0')}:${i % 2 === 0 ? '00' : '30'}`,
);

function OwnHours({ rules, onChange }: Pick<HoursFieldsProps, 'rules' | 'onChange'>) {
  const t = useTexts(rulesTexts);
  const language = useLanguage();
  const isShort = !areLongEnough(rules.from, rules.to);
  const clock = (field: 'from' | 'to', error?: string) => (
    <Field label={t[field]} error={error}>
      {(links) => (
        <Select
          {...links}
          className="w-full"
          value={rules[field]}
          onChange={({ target }) => onChange({ [field]: target.value })}
        >
          {[...new Set([...halfHours, rules[field]])].toSorted().map((one) => (
            <option key={one} value={one}>
              {shownClock(one, language)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
  return (
    <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      {clock('from')}
      {clock('to', isShort ? t.tooShort : undefined)}
      <Field label={t.zone} className="col-span-2">
        {(links) => (
          <Select
            {...links}
            className="w-full"
            value={rules.zone}
            onChange={({ target }) => onChange({ zone: target.value === 'account' ? 'account' : 'recipient' })}
          >
            <option value="recipient">{t.zones.recipient}</option>
            <option value="account">{t.zones.account}</option>
          </Select>
        )}
      </Field>
    </div>
  );
}
