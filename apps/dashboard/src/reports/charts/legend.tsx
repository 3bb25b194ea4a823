import { formatShortCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';

type LegendProps = { entries: readonly { name: string; value: number; look: string }[]; when: string };

/** The colours of a chart, with the values of the hour or day that is pointed at. */
export function Legend({ entries, when }: LegendProps) {
  const language = useLanguage();
  return (
    <figcaption className="mb-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      {entries.map(({ name, value, look }) => (
        <span key={name} className="flex items-center gap-2">
          <span aria-hidden className={`size-2.5 shrink-0 rounded-[3px] ${look}`} />
          <span className="text-ink-soft">{name}</span>
          <span className="min-w-6 font-medium tabular">{formatShortCount(value, language)}</span>
        </span>
      ))}
      <span className="ml-auto text-xs text-ink-faint tabular">{when}</span>
    </figcaption>
  );
}
