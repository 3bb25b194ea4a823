import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Page } from '../../ui/layout/page.js';
import { Panel } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Tabs } from '../../ui/layout/tabs.js';
import { Notice } from '../../ui/notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Attempt, Replay, Webhook } from '../state.js';
import { WebhookBadge } from '../state-badge.js';
import { webhookTexts } from '../texts.js';
import { webhookQuery } from '../webhook-queries.js';
import { Attempts } from './attempts.js';
import { CheckPanel } from './check-panel.js';
import { FailedEvents } from './failed-events.js';
import { HealthStrip } from './health-strip.js';
import { PingResult } from './ping-result.js';
import { ReplayPanel } from './replay-panel.js';
import { WebhookSettings } from './settings.js';
import { deliveryTexts } from './texts.js';
import { usePing } from './use-ping.js';

export function WebhookPage() {
  const t = useTexts(webhookTexts);
  const { webhookId } = useParams({ from: '/signed-in/webhooks/$webhookId' });
  const { data, error, refetch } = useQuery(webhookQuery(webhookId));
  const back = (
    <Link
      to="/webhooks"
      className="-my-2.5 inline-flex items-center gap-1.5 self-start py-2.5 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t.title}
    </Link>
  );
  if (data !== undefined) return <Loaded before={back} webhook={data.webhook} replays={data.replays} />;
  return (
    <Page title={t.title} before={back}>
      <FailureNotice failure={error} onRetry={refetch} />
      {error === null && (
        <Panel>
          <SkeletonLines count={6} />
        </Panel>
      )}
    </Page>
  );
}

type LoadedProps = { before: ReactNode; webhook: Webhook; replays: readonly Replay[] };

function Loaded({ before, webhook, replays }: LoadedProps) {
  const t = useTexts(webhookTexts);
  const d = useTexts(deliveryTexts);
  const mayChange = useMay('developer');
  const ping = usePing(webhook);
  const actions = mayChange && (
    <>
      {webhook.enabled && (
        <Button look="primary" busy={ping.isSending} onClick={ping.send}>
          {d.ping}
        </Button>
      )}
      <EnableButton webhook={webhook} />
    </>
  );
  return (
    <Page
      title={webhook.url.replace(/^https?:\/\//, '')}
      before={before}
      note={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <WebhookBadge webhook={webhook} />
          {webhook.description}
        </span>
      }
      actions={actions}
    >
      <StateNotice webhook={webhook} />
      {!mayChange && <Notice>{t.viewerOnly}</Notice>}
      {!isOutdated(ping.attempt, webhook) && <PingResult {...ping} />}
      <HealthStrip webhook={webhook} />
      <Sections webhook={webhook} replays={replays} mayChange={mayChange} />
    </Page>
  );
}

/** The address took the test, and has failed since. */
function isOutdated(test: Attempt | undefined, { health }: Webhook): boolean {
  return test?.outcome === 'delivered' && Date.parse(health.last_failure_at ?? '') > Date.parse(test.at);
}

function Sections({ webhook, replays, mayChange }: Omit<LoadedProps, 'before'> & { mayChange: boolean }) {
  const { title, tabs } = useTexts(webhookTexts);
  const forDevelopers = [
    { value: 'check', label: tabs.check, content: <CheckPanel webhook={webhook} /> },
    { value: 'settings', label: tabs.settings, content: <WebhookSettings webhook={webhook} /> },
  ];
  return (
    <Tabs
      label={title}
      tabs={[
        { value: 'attempts', label: tabs.attempts, content: <Attempts webhook={webhook} /> },
        { value: 'failed', label: tabs.failed, content: <FailedEvents webhook={webhook} /> },
        { value: 'replay', label: tabs.replay, content: <ReplayPanel webhook={webhook} replays={replays} /> },
        ...(mayChange ? forDevelopers : []),
      ]}
    />
  );
}

function StateNotice({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  if (!webhook.enabled)
    return (
      <Notice tone="bad" title={t.disabledBy[webhook.disabled_reason ?? 'person']}>
        {t.enableNote}
      </Notice>
    );
  return webhook.health.state === 'probed' ? <Notice tone="warn">{t.probedNote}</Notice> : null;
}

function EnableButton({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const change = useCall('updateWebhook', ['getWebhook', 'listWebhooks']);
  const enabled = !webhook.enabled;
  const given = { params: { webhook_id: webhook.webhook_id }, body: { enabled } };
  const said = () => toast(enabled ? t.enabled : t.disabled);
  return (
    <>
      <Button
        look={enabled ? 'primary' : 'secondary'}
        busy={change.isPending}
        onClick={() => change.mutate(given, { onSuccess: said })}
      >
        {enabled ? t.enable : t.disable}
      </Button>
      <FailureNotice failure={change.error} />
    </>
  );
}
