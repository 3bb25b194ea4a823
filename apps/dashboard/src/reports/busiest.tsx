/** The devices and keys with the most messages of the span. Each leads to its messages. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { devicesQuery } from '../devices/device-queries.js';
import { formatCount, formatShare, shortenId } from '../format/format.js';
import { readQuery } from '../http/query.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import { DataTable } from '../ui/tables/data-table.js';
import type { Report } from './charts/report.js';
import type { MessageSpan } from './spans.js';
import { reportTexts } from './texts.js';

type Row = Report['all'] & { id: string; name: string; search: { device?: string; key?: string } | null };

export function Busiest({ report, span }: { report: Report; span: MessageSpan }) {
  const t = useTexts(reportTexts);
  const devices = useQuery(devicesQuery());
  const keys = useQuery(readQuery('listKeys', {}));
  const deviceName = (id: string) => devices.data?.find((device) => device.device_id === id)?.name ?? shortenId(id);
  const keyName = (id: string) => keys.data?.keys.find((key) => key.api_key === id)?.name ?? shortenId(id);
  const ofDevices = report.devices.map(({ device_id: id, ...counts }) => ({
    ...counts,
    id,
    name: deviceName(id),
    search: { device: id },
  }));
  const ofKeys = report.senders.map(({ api_key: id, ...counts }) => ({
    ...counts,
    id: id ?? '',
    name: id === null ? t.dashboard : keyName(id),
    search: id === null ? null : { key: id },
  }));
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Ranking title={t.byDevice} rows={ofDevices} span={span} />
      <Ranking title={t.byKey} rows={ofKeys} span={span} />
    </div>
  );
}

function Ranking({ title, rows, span }: { title: string; rows: readonly Row[]; span: MessageSpan }) {
  const t = useTexts(reportTexts);
  const language = useLanguage();
  return (
    <Panel className="min-w-0 pb-2">
      <PanelHead title={title} />
      <DataTable
        label={title}
        narrow="rows"
        rows={rows}
        idOf={({ id }) => id}
        columns={[
          {
            name: 'name',
            header: t.name,
            className: 'max-w-40 truncate',
            cell: ({ name, search }) =>
              search === null ? (
                name
              ) : (
                <Link
                  to="/messages"
                  search={{ ...search, ...span }}
                  className="py-2.5 underline decoration-line-strong underline-offset-4 hover:decoration-current"
                >
                  {name}
                </Link>
              ),
          },
          {
            name: 'accepted',
            header: t.accepted,
            numeric: true,
            cell: ({ accepted }) => formatCount(accepted, language),
          },
          {
            name: 'delivered',
            header: t.delivered,
            numeric: true,
            cell: ({ accepted, delivered }) => formatShare(delivered, accepted, language),
          },
          {
            name: 'failed',
            header: t.failed,
            numeric: true,
            cell: ({ failed }) => <span className={failed > 0 ? 'text-bad' : ''}>{formatCount(failed, language)}</span>,
          },
        ]}
      />
    </Panel>
  );
}
