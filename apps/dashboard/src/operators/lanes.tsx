import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { formatCount } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { DataTable } from '../ui/tables/data-table.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Moment } from '../ui/moment.js';
import { Panel } from '../ui/layout/panel.js';
import { operatorTexts } from './texts.js';

const refreshMs = 5_000;

export function Lanes() {
  const t = useTexts(operatorTexts);
  const language = useLanguage();
  const { data, error, refetch } = useQuery({ ...readQuery('adminListLanes', {}), refetchInterval: refreshMs });
  const count = (value: number) => formatCount(value, language);
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={error} onRetry={refetch} />
      <Panel>
        {data?.lanes.length === 0 && <p className="px-5 py-12 text-center text-sm text-ink-soft">{t.noLanes}</p>}
        {data !== undefined && data.lanes.length > 0 && (
          <DataTable
            label={t.lanes}
            rows={data.lanes}
            idOf={(row) => row.device_id}
            columns={[
              { name: 'device', header: t.device, cell: (row) => <span className="font-medium">{row.name}</span> },
              { name: 'otp', header: t.otp, numeric: true, cell: (row) => count(row.waiting.otp) },
              { name: 'normal', header: t.normal, numeric: true, cell: (row) => count(row.waiting.normal) },
              { name: 'bulk', header: t.bulk, numeric: true, cell: (row) => count(row.waiting.bulk) },
              { name: 'sending', header: t.sending, numeric: true, cell: (row) => count(row.sending) },
              {
                name: 'jobs',
                header: t.jobs,
                numeric: true,
                cell: (row) => (row.jobs === null ? '–' : count(row.jobs)),
              },
              {
                name: 'oldest',
                header: t.oldest,
                numeric: true,
                cell: (row) => (row.oldest_waiting_at === null ? '–' : <Moment at={row.oldest_waiting_at} />),
              },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}
