import type { ReactNode } from 'react';
import { formatCount } from '../../format/format.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Panel } from '../../ui/layout/panel.js';
import { Moment } from '../../ui/moment.js';
import type { Webhook } from '../state.js';
import { webhookTexts } from '../texts.js';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 px-5 py-3.5">
      <dt className="text-xs text-ink-soft">{name}</dt>
      <dd className="mt-0.5 font-medium tabular">{children}</dd>
    </div>
  );
}

export function HealthStrip({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const language = useLanguage();
  const { health } = webhook;
  const moment = (at: string | null) => (at === null ? t.never : <Moment at={at} />);
  return (
    <Panel>
      <dl className="grid grid-cols-2 sm:flex sm:flex-wrap sm:justify-between">
        <Fact name={t.lastSuccess}>{moment(health.last_success_at)}</Fact>
        <Fact name={t.lastFailure}>{moment(health.last_failure_at)}</Fact>
        {health.failing_since !== null && <Fact name={t.failingSince}>{moment(health.failing_since)}</Fact>}
        {health.next_probe_at !== null && <Fact name={t.nextProbe}>{moment(health.next_probe_at)}</Fact>}
        <Fact name={t.waiting}>{formatCount(health.waiting_events, language)}</Fact>
        <Fact name={t.failed}>{formatCount(health.failed_events, language)}</Fact>
      </dl>
    </Panel>
  );
}
