import { useId, useState } from 'react';
import { zoneName } from '../../contacts/words.js';
import { Select } from '../../form/select.js';
import { ownTimeZone } from '../../format/time-zone.js';
import { useCall } from '../../http/use-call.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import { checkTexts } from './texts.js';

type HomeZoneProps = {
  country: string;
  /** The zones of the country in which the hours are open. */
  zones: readonly string[];
};

/** Says why a country with several time zones waits, and lets the account choose the one of its customers. */
export function HomeZone({ country, zones }: HomeZoneProps) {
  const t = useTexts(checkTexts);
  const language = useLanguage();
  const id = useId();
  const mayChange = useMay('developer');
  const [first = ''] = zones;
  const [zone, setZone] = useState(zones.includes(ownTimeZone()) ? ownTimeZone() : first);
  const save = useCall('setAccountCountry', ['readAccountCountry']);
  const name = new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country;
  const given = { body: { country, time_zone: zone } };
  return (
    <>
      <p>{t.manyZones(name)}</p>
      {mayChange && (
        <div className="flex flex-wrap items-center gap-2">
          <label htmlFor={id}>{t.homeZone}</label>
          <Select id={id} value={zone} onChange={({ target }) => setZone(target.value)}>
            {zones.map((one) => (
              <option key={one} value={one}>
                {zoneName(one)}
              </option>
            ))}
          </Select>
          <Button
            className="h-10"
            busy={save.isPending}
            onClick={() => save.mutate(given, { onSuccess: () => toast(t.homeZoneSaved) })}
          >
            {t.saveHomeZone}
          </Button>
        </div>
      )}
      <FailureNotice failure={save.error} />
    </>
  );
}
