import { useQuery } from '@tanstack/react-query';
import { zoneName } from '../../contacts/words.js';
import { CountrySelect } from '../../form/country-select.js';
import { Field } from '../../form/field.js';
import { Select } from '../../form/select.js';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import { membersTexts } from './texts.js';

/** The country of numbers without a country code, and the time zone of its people. A choice is stored at once. */
export function AccountCountry() {
  const t = useTexts(membersTexts);
  const mayChange = useMay('developer');
  const { data, error } = useQuery(readQuery('readAccountCountry', {}));
  const save = useCall('setAccountCountry', ['readAccountCountry']);
  if (data === undefined) return <FailureNotice failure={error} />;
  const shown = save.isPending ? save.variables.body : data;
  const choose = (country: string, time_zone: string | null, said: string) =>
    save.mutate({ body: { country, time_zone } }, { onSuccess: () => toast(said) });
  return (
    <>
      <Field label={t.country} hint={t.countryHint}>
        {(links) => (
          <CountrySelect
            {...links}
            className="max-w-72"
            countries={data.countries}
            disabled={!mayChange || save.isPending}
            value={shown.country}
            onChange={({ target }) => choose(target.value, null, t.countrySaved)}
          />
        )}
      </Field>
      {data.time_zones.length > 1 && (
        <Field label={t.zone} hint={t.zoneHint}>
          {(links) => (
            <Select
              {...links}
              className="max-w-72"
              disabled={!mayChange || save.isPending}
              value={shown.time_zone ?? ''}
              onChange={({ target }) => choose(data.country, target.value === '' ? null : target.value, t.zoneSaved)}
            >
              <option value="">{t.anyZone}</option>
              {data.time_zones.map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(zone)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <FailureNotice failure={save.error} />
    </>
  );
}
