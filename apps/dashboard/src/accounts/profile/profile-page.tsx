import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Select } from '../../form/select.js';
import { Field } from '../../form/field.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { useChooseLanguage } from '../../session/person-language.js';
import { Button } from '../../ui/button.js';
import { Page } from '../../ui/layout/page.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Skeleton } from '../../ui/layout/skeleton.js';
import { LeaveAccount } from './leave-account.js';
import { OpenAccount } from './open-account.js';
import { profileTexts } from './texts.js';

const NameForm = lazy(async () => ({ default: (await import('./name-form.js')).NameForm }));
const EmailForm = lazy(async () => ({ default: (await import('./email-form.js')).EmailForm }));

export function ProfilePage() {
  const t = useTexts(profileTexts);
  const { accounts } = useMe();
  return (
    <Page title={t.title} note={t.note}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <Suspense fallback={<Skeleton className="h-96" />}>
            <NameForm />
            <EmailForm />
          </Suspense>
          <LanguageChoice />
        </div>
        <div className="flex flex-col gap-6">
          {accounts.every(({ role }) => role !== 'owner') && <OpenAccount />}
          <LeaveAccount />
          <Panel>
            <PanelHead title={t.erase} note={t.eraseNote} />
            <div className="px-5 pb-5">
              <Button asChild>
                <Link to="/security">{t.toSecurity}</Link>
              </Button>
            </div>
          </Panel>
        </div>
      </div>
    </Page>
  );
}

function LanguageChoice() {
  const t = useTexts(profileTexts);
  const language = useLanguage();
  const choose = useChooseLanguage();
  return (
    <Panel className="p-5">
      <Field label={t.language} hint={t.languageNote}>
        {(links) => (
          <Select
            {...links}
            className="max-w-72"
            value={language}
            onChange={({ target }) => choose(target.value === 'id' ? 'id' : 'en')}
          >
            <option value="id" lang="id">
              Bahasa Indonesia
            </option>
            <option value="en" lang="en">
              English
            </option>
          </Select>
        )}
      </Field>
    </Panel>
  );
}
