import { useTexts } from '../../i18n/texts.js';
import { rulesTexts } from './rules-texts.js';

type ConfirmAnyHourProps = { checked: boolean; onChange: (checked: boolean) => void };

/** Promotions at night annoy people, so a person says that this is meant. */
export function ConfirmAnyHour({ checked, onChange }: ConfirmAnyHourProps) {
  const t = useTexts(rulesTexts);
  return (
    <label className="flex min-h-12 cursor-pointer items-center gap-3 text-sm">
      <input
        type="checkbox"
        className="size-5 shrink-0 accent-accent"
        checked={checked}
        onChange={() => onChange(!checked)}
      />
      {t.confirm}
    </label>
  );
}
