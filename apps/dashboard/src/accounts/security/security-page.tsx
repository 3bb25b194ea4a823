import { useTexts } from '../../i18n/texts.js';
import { lazy, Suspense } from 'react';
import { Page } from '../../ui/layout/page.js';
import { Skeleton } from '../../ui/layout/skeleton.js';
import { MyData } from '../data/my-data.js';
import { Passkeys } from './passkeys.js';
import { Sessions } from './sessions.js';
import { securityTexts } from './texts.js';
import { TwoFactor } from './two-factor.js';

const ChangePassword = lazy(async () => ({ default: (await import('./change-password.js')).ChangePassword }));

export function SecurityPage() {
  const t = useTexts(securityTexts);
  return (
    <Page title={t.title} note={t.note}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex flex-col gap-6">
          <TwoFactor />
          <Passkeys />
          <Suspense fallback={<Skeleton className="h-64" />}>
            <ChangePassword />
          </Suspense>
        </div>
        <div className="flex flex-col gap-6">
          <Sessions />
          <MyData />
        </div>
      </div>
    </Page>
  );
}
