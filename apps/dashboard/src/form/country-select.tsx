import { type ComponentProps, useMemo } from 'react';
import { useLanguage } from '../i18n/language.js';
import { Select } from './select.js';

type CountrySelectProps = ComponentProps<typeof Select> & {
  /** The id of the field, so that its label belongs to it. */
  id: string;
  /** Codes of ISO 3166. */
  countries: readonly string[];
};

/** A choice of countries by their names, in the order of the alphabet. An empty `value` is no choice yet. */
export function CountrySelect({ countries, ...select }: CountrySelectProps) {
  const language = useLanguage();
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return countries
      .map((code) => ({ code, name: names.of(code) ?? code }))
      .toSorted((a, b) => a.name.localeCompare(b.name, language));
  }, [countries, language]);
  return (
    <Select {...select}>
      {select.value === '' && <option value="">—</option>}
      {choices.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}
