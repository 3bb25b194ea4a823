import { limits } from '@kurir/contracts/dashboard';
import { Plus, X } from 'lucide-react';
import { Input } from '../../form/input.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { fieldTexts } from './texts.js';

export type Attribute = { readonly key: string; readonly value: string };

type AttributesFieldProps = {
  attributes: readonly Attribute[];
  /** A key is not possible, or stands twice. */
  wrong: boolean;
  onChange: (attributes: readonly Attribute[]) => void;
};

export function AttributesField({ attributes, wrong, onChange }: AttributesFieldProps) {
  const t = useTexts(fieldTexts);
  const set = (at: number, part: Partial<Attribute>) =>
    onChange(attributes.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 text-sm font-medium">{t.attributes}</legend>
      {attributes.map(({ key, value }, i) => (
        <div key={i} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-2">
          <Input
            aria-label={t.attributeName(String(i + 1))}
            placeholder={t.namePlaceholder}
            maxLength={limits.attributeKeyMaxLength}
            value={key}
            onChange={({ target }) => set(i, { key: target.value })}
          />
          <Input
            aria-label={t.attributeValue(String(i + 1))}
            placeholder={t.valuePlaceholder}
            maxLength={limits.attributeValueMaxLength}
            value={value}
            onChange={({ target }) => set(i, { value: target.value })}
          />
          <Button
            look="quiet"
            size="icon"
            aria-label={t.removeAttribute(key === '' ? String(i + 1) : key)}
            onClick={() => onChange(attributes.filter((_one, other) => other !== i))}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      {attributes.length < limits.attributesMax && (
        <Button size="small" className="self-start" onClick={() => onChange([...attributes, { key: '', value: '' }])}>
          <Plus aria-hidden className="size-4" />
          {t.addAttribute}
        </Button>
      )}
      <p role={wrong ? 'alert' : undefined} className={wrong ? 'text-xs text-bad' : 'text-xs text-ink-faint'}>
        {wrong ? t.badAttribute : t.attributesHint}
      </p>
    </fieldset>
  );
}
