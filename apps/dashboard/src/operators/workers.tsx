import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { shortenId } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import { StateBadge } from '../devices/state-badge.js';
import { Badge } from '../ui/badge.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { Panel, PanelHead } from '../ui/layout/panel.js';
import type { Worker } from './rows.js';
import { operatorTexts } from './texts.js';

const refreshMs = 5_000;

export function Workers() {
  const t = useTexts(operatorTexts);
  const { data, error, refetch } = useQuery({ ...readQuery('adminListWorkers', {}), refetchInterval: refreshMs });
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={error} onRetry={refetch} />
      {data !== undefined && data.waiting_for_worker > 0 && (
        <Notice tone="warn">{t.waitingForWorker(data.waiting_for_worker)}</Notice>
      )}
      {data?.workers.length === 0 && <Notice tone="bad">{t.noWorkers}</Notice>}
      {data?.workers.map((worker) => (
        <WorkerPanel key={worker.worker_id} worker={worker} />
      ))}
    </div>
  );
}

function WorkerPanel({ worker }: { worker: Worker }) {
  const t = useTexts(operatorTexts);
  return (
    <Panel>
      <PanelHead
        title={<code className="break-all">{worker.worker_id}</code>}
        note={t.holds(worker.devices.length, worker.capacity)}
        actions={
          <Badge tone={worker.alive ? 'ok' : 'bad'} dot>
            {worker.alive ? t.alive : t.gone}
          </Badge>
        }
      />
      {worker.devices.length === 0 && <p className="px-5 pb-4 text-sm text-ink-faint">{t.nothingHeld}</p>}
      <ul>
        {worker.devices.map((device) => (
          <li
            key={device.device_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-5 py-2.5 text-sm"
          >
            <span className="min-w-0 flex-1 basis-full truncate font-medium sm:basis-0">{device.name}</span>
            <code className="text-xs text-ink-faint" title={device.account_id}>
              {shortenId(device.account_id)}
            </code>
            <span className="text-xs text-ink-faint tabular">
              {t.epoch} {device.epoch}
            </span>
            <StateBadge state={device.state} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
