import type { DashboardData } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { KeyRow } from './key-row.js';
import { NewSecretDialog } from './new-secret-dialog.js';
import { keyTexts } from './texts.js';

const CreateKeyDialog = lazy(async () => ({ default: (await import('./create-key-dialog.js')).CreateKeyDialog }));

/** Not longer than the interval at which the gateway stores the last use of secrets. */
const refreshMs = 5_000;

type NewSecret = DashboardData<'createKey'>;

export function KeysPage() {
  const t = useTexts(keyTexts);
  const mayChange = useMay('developer');
  const { create } = useSearch({ from: '/signed-in/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const setCreating = (creating: boolean) => void navigate({ search: creating ? { create: true } : {} });
  const [made, setMade] = useState<NewSecret | null>(null);
  const { data, error, refetch } = useQuery({ ...readQuery('listKeys', {}), refetchInterval: refreshMs });
  const live = data?.keys.filter((key) => key.revoked_at === null) ?? [];
  const revoked = data?.keys.filter((key) => key.revoked_at !== null) ?? [];
  const button = mayChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} note={t.note} actions={live.length === 0 ? undefined : button}>
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data === undefined && error === null && <SkeletonLines count={3} />}
        {data !== undefined && live.length === 0 && (
          <EmptyState
            picture={
              <RoutePicture>
                <KeyRound />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={button}
          >
            {t.emptyNote}
          </EmptyState>
        )}
        <ul>
          {live.map((key) => (
            <KeyRow key={key.api_key} apiKey={key} onNewSecret={setMade} />
          ))}
        </ul>
      </Panel>
      {revoked.length > 0 && (
        <details>
          <summary className="cursor-pointer py-2.5 text-sm text-ink-soft">{t.showRevoked(revoked.length)}</summary>
          <Panel className="mt-3">
            <ul>
              {revoked.map((key) => (
                <KeyRow key={key.api_key} apiKey={key} onNewSecret={setMade} />
              ))}
            </ul>
          </Panel>
        </details>
      )}
      {create === true && mayChange && (
        <Suspense fallback={null}>
          <CreateKeyDialog open onClose={() => setCreating(false)} onCreated={setMade} />
        </Suspense>
      )}
      <NewSecretDialog made={made} onClose={() => setMade(null)} />
    </Page>
  );
}
