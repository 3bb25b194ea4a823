import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import { membersTexts } from './texts.js';

/** The country of numbers without a country code. A choice is stored at once. */
export function AccountCountry() {
  const t = useTexts(membersTexts);
  const language = useLanguage();
  const mayChange = useMay('developer');
  const { data, error } = useQuery(readQuery('readAccountCountry', {}));
  const save = useCall('setAccountCountry', ['readAccountCountry']);
  const choices = useMemo(() => {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    return (data?.countries ?? [])
      .map((code) => ({ code, name: names.of(code) ?? code }))
      .toSorted((a, b) => a.name.localeCompare(b.name, language));
  }, [data, language]);
  const choose = (country: string) => save.mutate({ body: { country } }, { onSuccess: () => toast(t.countrySaved) });
  if (data === undefined) return <FailureNotice failure={error} />;
  return (
    <>
      <Field label={t.country} hint={t.countryHint}>
        {(links) => (
          <Select
            {...links}
            className="max-w-72"
            disabled={!mayChange || save.isPending}
            value={save.isPending ? save.variables.body.country : data.country}
            onChange={({ target }) => choose(target.value)}
          >
            {choices.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <FailureNotice failure={save.error} />
    </>
  );
}
