import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { CountrySelect } from '../../form/country-select.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { ownTimeZone } from '../../format/time-zone.js';
import { readQuery } from '../../http/query.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { rememberFreshKey } from '../../session/fresh-key.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { profileTexts } from './texts.js';

/** For a person who joined accounts of others and owns none. No page may then show data of the account before. */
export function OpenAccount() {
  const t = useTexts(profileTexts);
  const { user } = useMe();
  const client = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState(user.name);
  const setup = useQuery(readQuery('readSetup', { query: { time_zone: ownTimeZone() } }));
  const [chosen, setChosen] = useState('');
  const country = chosen === '' ? (setup.data?.country ?? '') : chosen;
  const open = useCall('openAccount');
  const enter = async () => {
    await open.mutateAsync({ body: { name, ...(country === '' ? {} : { country }) } });
    rememberFreshKey(null);
    client.clear();
    await router.navigate({ to: '/' });
    await router.invalidate();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void enter().catch(() => undefined);
  };
  return (
    <Panel>
      <PanelHead title={t.own} note={t.ownNote} />
      <form className="flex flex-col gap-4 px-5 pb-5" onSubmit={submit}>
        <Field label={t.ownName}>
          {(links) => (
            <Input {...links} value={name} onChange={({ target }) => setName(target.value)} maxLength={64} required />
          )}
        </Field>
        <Field label={t.country} hint={t.countryHint}>
          {(links) => (
            <CountrySelect
              {...links}
              className="max-w-72"
              countries={setup.data?.countries ?? []}
              value={country}
              onChange={({ target }) => setChosen(target.value)}
            />
          )}
        </Field>
        <FailureNotice failure={open.error} />
        <Button type="submit" className="self-start" busy={open.isPending} disabled={name.trim() === ''}>
          {t.open}
        </Button>
      </form>
    </Panel>
  );
}
