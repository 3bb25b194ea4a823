import { limits } from '@kurir/contracts/dashboard';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Switch } from '../../form/switch.js';
import { useTexts } from '../../i18n/texts.js';
import type { Category } from '../category-texts.js';
import { useCount } from '../use-count.js';
import { HoursFields } from './hours-fields.js';
import { readMaxPerDay, readPercent, type Rules, usualRules } from './rules.js';
import { rulesTexts } from './rules-texts.js';

type RulesFieldsProps = { rules: Rules; category: Category; onChange: (rules: Rules) => void };

/** The hours, the most messages a person, and the guards of a broadcast. */
export function RulesFields({ rules, category, onChange }: RulesFieldsProps) {
  const t = useTexts(rulesTexts);
  const count = useCount();
  const set = (part: Partial<Rules>) => onChange({ ...rules, ...part });
  const isBad = readMaxPerDay(rules.maxPerDay) === undefined;
  return (
    <>
      <HoursFields rules={rules} category={category} onChange={set} />
      {category === 'marketing' && (
        <Field
          label={t.maxPerDay}
          hint={t.maxPerDayHint}
          error={isBad ? t.badMaxPerDay(count(limits.maxPerPersonADay)) : undefined}
        >
          {(links) => (
            <Input
              {...links}
              inputMode="numeric"
              className="sm:max-w-40"
              value={rules.maxPerDay}
              onChange={({ target }) => set({ maxPerDay: target.value })}
            />
          )}
        </Field>
      )}
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="pb-1 text-sm font-medium">{t.guards}</legend>
        <p className="text-xs text-ink-faint">{t.guardsNote(count(limits.guardOutcomes))}</p>
        <Guard
          label={t.failed}
          percentLabel={t.failedPercent}
          percent={rules.failed}
          usual={usualRules.failed}
          onChange={(failed) => set({ failed })}
        />
        <Guard
          label={t.optedOut}
          percentLabel={t.optedOutPercent}
          percent={rules.optedOut}
          usual={usualRules.optedOut}
          onChange={(optedOut) => set({ optedOut })}
        />
      </fieldset>
    </>
  );
}

type GuardProps = {
  label: string;
  percentLabel: string;
  /** Null: off. */
  percent: string | null;
  usual: string | null;
  onChange: (percent: string | null) => void;
};

function Guard({ label, percentLabel, percent, usual, onChange }: GuardProps) {
  const t = useTexts(rulesTexts);
  const isBad = readPercent(percent) === undefined;
  return (
    <div className="flex flex-col gap-2">
      <label className="flex min-h-11 cursor-pointer items-center justify-between gap-4 text-sm font-medium">
        {label}
        <Switch
          aria-label={label}
          checked={percent !== null}
          onCheckedChange={(isOn) => onChange(isOn ? usual : null)}
        />
      </label>
      {percent !== null && (
        <Field label={percentLabel} error={isBad ? t.badPercent : undefined}>
          {(links) => (
            <Input
              {...links}
              inputMode="numeric"
              className="sm:max-w-40"
              value={percent}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
