import { useQuery } from '@tanstack/react-query';
import { StateBadge as BroadcastBadge } from '../../broadcasts/state-badge.js';
import { StateBadge } from '../../devices/state-badge.js';
import { deviceTexts } from '../../devices/texts.js';
import { formatBytes, formatCount, formatSpan } from '../../format/format.js';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Meter } from '../../ui/meter.js';
import { Notice } from '../../ui/notice.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { Facts } from './facts.js';
import type { Gateway } from './gateway.js';
import { gatewayTexts } from './texts.js';
import { troublesOf } from './troubles.js';

const refreshMs = 15_000;

export function Health() {
  const { data, error, refetch } = useQuery({ ...readQuery('adminShowGateway', {}), refetchInterval: refreshMs });
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={error} onRetry={refetch} />
      {data !== undefined && (
        <>
          <Troubles gateway={data} />
          <Queue gateway={data} />
          <div className="grid gap-4 lg:grid-cols-2">
            <Devices gateway={data} />
            <Storage gateway={data} />
            <Deliveries gateway={data} />
            <Broadcasts gateway={data} />
          </div>
        </>
      )}
    </div>
  );
}

type Part = { gateway: Gateway };

function Troubles({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const troubles = troublesOf(gateway, t.troubles);
  if (troubles.length === 0) return <Notice tone="ok">{t.allWell}</Notice>;
  return troubles.map((sentence) => (
    <Notice key={sentence} tone="warn">
      {sentence}
    </Notice>
  ));
}

function Queue({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const language = useLanguage();
  return (
    <Panel>
      <PanelHead title={t.waitingMessages} />
      <DataTable
        label={t.waitingMessages}
        rows={gateway.queue}
        idOf={(row) => row.priority}
        columns={[
          { name: 'priority', header: t.priority, cell: (row) => t.priorities[row.priority] },
          { name: 'lanes', header: t.inLanes, numeric: true, cell: (row) => formatCount(row.in_lanes, language) },
          { name: 'later', header: t.later, numeric: true, cell: (row) => formatCount(row.waiting, language) },
          {
            name: 'oldest',
            header: t.oldest,
            numeric: true,
            cell: (row) => (row.oldest_seconds === null ? '–' : formatSpan(row.oldest_seconds * 1_000)),
          },
        ]}
      />
    </Panel>
  );
}

function Devices({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const d = useTexts(deviceTexts);
  const language = useLanguage();
  return (
    <Panel>
      <PanelHead title={t.devices} />
      <div className="px-5 pb-4">
        <Meter label={t.places} used={gateway.devices_wanted - gateway.devices_unheld} total={gateway.capacity} />
      </div>
      {gateway.devices.length === 0 && <p className="px-5 pb-5 text-sm text-ink-soft">{t.noDevices}</p>}
      {gateway.devices.length > 0 && (
        <DataTable
          label={t.devices}
          rows={gateway.devices}
          idOf={(row) => `${row.network} ${row.state}`}
          columns={[
            { name: 'network', header: t.network, cell: (row) => d[row.network] },
            { name: 'state', header: t.state, cell: (row) => <StateBadge state={row.state} /> },
            { name: 'count', header: t.count, numeric: true, cell: (row) => formatCount(row.devices, language) },
          ]}
        />
      )}
    </Panel>
  );
}

function Storage({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const language = useLanguage();
  const { used_bytes: used, max_bytes: max } = gateway.redis;
  const bytes = (value: number) => formatBytes(value, language);
  const memory = used === null ? t.away : t.used(bytes(used), max === null ? null : bytes(max));
  return (
    <Panel>
      <PanelHead title={t.storage} />
      <Facts
        facts={[
          [t.database, bytes(gateway.database_bytes)],
          [t.redis, memory],
          [t.oldestTransaction, formatSpan(gateway.oldest_transaction_seconds * 1_000)],
          [
            t.clockSkew,
            `${gateway.clock_skew_seconds < 0 ? '−' : ''}${formatSpan(Math.abs(gateway.clock_skew_seconds) * 1_000)}`,
          ],
          [t.version, gateway.version],
          [t.whatsapp, gateway.whatsapp_version?.version ?? t.unknown],
        ]}
      />
    </Panel>
  );
}

function Deliveries({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const language = useLanguage();
  const { webhooks, webhook_retries: retries } = gateway;
  const count = (value: number) => formatCount(value, language);
  return (
    <Panel>
      <PanelHead title={t.webhooks} />
      <Facts
        facts={[
          [t.webhookStates.working, count(webhooks.working)],
          [t.webhookStates.failing, count(webhooks.failing)],
          [t.webhookStates.disabled, count(webhooks.disabled)],
        ]}
      />
      <h3 className="border-t border-line px-5 pt-3 text-sm text-ink-soft">{t.deliveries}</h3>
      <Facts
        facts={[
          [t.retries.overdue, count(retries.overdue)],
          [t.retries.later, count(retries.later)],
          [t.retries.failed, count(retries.failed)],
        ]}
      />
    </Panel>
  );
}

function Broadcasts({ gateway }: Part) {
  const t = useTexts(gatewayTexts);
  const language = useLanguage();
  return (
    <Panel>
      <PanelHead title={t.broadcasts} />
      {gateway.broadcasts.length === 0 && <p className="px-5 pb-5 text-sm text-ink-soft">{t.noBroadcasts}</p>}
      <Facts
        facts={gateway.broadcasts.map(({ state, broadcasts }) => [
          <BroadcastBadge key={state} state={state} />,
          formatCount(broadcasts, language),
        ])}
      />
    </Panel>
  );
}
