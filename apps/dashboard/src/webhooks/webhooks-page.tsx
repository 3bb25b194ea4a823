import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { Moment } from '../ui/moment.js';
import type { Webhook } from './state.js';
import { WebhookBadge } from './state-badge.js';
import { webhookTexts } from './texts.js';
import { webhooksQuery } from './webhook-queries.js';

const CreateWebhookDialog = lazy(async () => ({
  default: (await import('./create-webhook-dialog.js')).CreateWebhookDialog,
}));

export function WebhooksPage() {
  const t = useTexts(webhookTexts);
  const mayChange = useMay('developer');
  const { create } = useSearch({ from: '/signed-in/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const setCreating = (creating: boolean) => void navigate({ search: creating ? { create: true } : {} });
  const { data, error, refetch } = useQuery(webhooksQuery());
  const isEmpty = data?.webhooks.length === 0;
  const button = mayChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="size-4" />
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} note={t.note} actions={isEmpty ? undefined : button}>
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data === undefined && error === null && <SkeletonLines count={3} />}
        {isEmpty && (
          <EmptyState
            picture={
              <RoutePicture>
                <WebhookIcon />
              </RoutePicture>
            }
            title={t.emptyTitle}
            actions={button}
          >
            {t.emptyNote}
          </EmptyState>
        )}
        <ul>
          {data?.webhooks.map((webhook) => (
            <WebhookRow key={webhook.webhook_id} webhook={webhook} />
          ))}
        </ul>
      </Panel>
      {create === true && mayChange && (
        <Suspense fallback={null}>
          <CreateWebhookDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const { health } = webhook;
  const counts = [
    health.waiting_events > 0 ? `${t.waiting}: ${health.waiting_events}` : null,
    health.failed_events > 0 ? `${t.failed}: ${health.failed_events}` : null,
  ].filter((count) => count !== null);
  return (
    <li className="border-t border-line first:border-t-0">
      <Link
        to="/webhooks/$webhookId"
        params={{ webhookId: webhook.webhook_id }}
        className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-5 py-4 hover:bg-sunken"
      >
        <span className="min-w-0 flex-1 basis-64">
          <span className="block font-medium break-all">{webhook.url}</span>
          {webhook.description !== '' && (
            <span className="block text-sm break-words text-ink-soft">{webhook.description}</span>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-soft">
          {counts.length > 0 && <span className="tabular">{counts.join(' · ')}</span>}
          {health.last_success_at !== null && (
            <span className="max-sm:hidden">
              {t.lastSuccess} <Moment at={health.last_success_at} />
            </span>
          )}
          <WebhookBadge webhook={webhook} />
        </span>
      </Link>
    </li>
  );
}
