import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../../format/format.js';
import { readQuery } from '../../http/query.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Badge } from '../../ui/badge.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { Moment } from '../../ui/moment.js';
import { DataTable } from '../../ui/tables/data-table.js';
import { gatewayTexts } from './texts.js';

const refreshMs = 15_000;

const momentOr = (at: string | null, otherwise: string) => (at === null ? otherwise : <Moment at={at} />);

export function TroubledWebhooks() {
  const t = useTexts(gatewayTexts);
  const language = useLanguage();
  const { data, error, refetch } = useQuery({ ...readQuery('adminListWebhooks', {}), refetchInterval: refreshMs });
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data?.webhooks.length === 0 && <p className="px-5 py-12 text-center text-sm text-ink-soft">{t.noTrouble}</p>}
        {data !== undefined && data.webhooks.length > 0 && (
          <DataTable
            label={t.webhooks}
            rows={data.webhooks}
            idOf={(row) => row.webhook_id}
            columns={[
              {
                name: 'account',
                header: t.account,
                cell: (row) => (
                  <>
                    <span className="block font-medium">{row.account_name}</span>
                    <code className="text-xs text-ink-faint">{row.account_id}</code>
                  </>
                ),
              },
              { name: 'address', header: t.address, cell: (row) => <span className="break-all">{row.origin}</span> },
              {
                name: 'state',
                header: t.state,
                cell: (row) => (
                  <Badge dot tone={row.enabled ? 'warn' : 'bad'}>
                    {row.enabled ? t.webhookStates.failing : t.webhookStates.disabled}
                  </Badge>
                ),
              },
              {
                name: 'since',
                header: t.failingSince,
                numeric: true,
                cell: (row) => momentOr(row.failing_since, '–'),
              },
              {
                name: 'success',
                header: t.lastSuccess,
                numeric: true,
                cell: (row) => momentOr(row.last_success_at, t.never),
              },
              {
                name: 'waiting',
                header: t.waitingEvents,
                numeric: true,
                cell: (row) => formatCount(row.waiting, language),
              },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}
