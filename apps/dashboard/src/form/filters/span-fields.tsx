import { defineTexts, useTexts } from '../../i18n/texts.js';
import { Input } from '../input.js';
import { Choice } from './choice.js';
import type { SpanSearch } from './span.js';

const texts = defineTexts(
  {
    anyTime: 'Any time',
    hour: 'Last hour',
    day: 'Last 24 hours',
    week: 'Last 7 days',
    range: 'Own dates',
    from: 'From',
    to: 'To',
  },
  {
    anyTime: 'Kapan saja',
    hour: 'Sejam terakhir',
    day: '24 jam terakhir',
    week: '7 hari terakhir',
    range: 'Pilih tanggal',
    from: 'Dari',
    to: 'Sampai',
  },
);

type SpanFieldsProps = { label: string; value: SpanSearch; onChange: (span: SpanSearch) => void };

/** Chooses a span of time. Two fields for days follow if the person wants own dates. */
export function SpanFields({ label, value, onChange }: SpanFieldsProps) {
  const t = useTexts(texts);
  const names = { hour: t.hour, day: t.day, week: t.week, range: t.range };
  return (
    <>
      <Choice
        label={label}
        any={t.anyTime}
        value={value.since}
        options={Object.entries(names)}
        onChange={(since) => onChange({ since, from: undefined, to: undefined })}
      />
      {value.since === 'range' && (
        <>
          <DateField label={t.from} value={value.from} onChange={(from) => onChange({ from })} />
          <DateField label={t.to} value={value.to} onChange={(to) => onChange({ to })} />
        </>
      )}
    </>
  );
}

type DateFieldProps = { label: string; value: string | undefined; onChange: (day: string | undefined) => void };

const DateField = ({ label, value = '', onChange }: DateFieldProps) => (
  <Input
    type="date"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value || undefined)}
    className="min-w-0 sm:w-auto"
  />
);
