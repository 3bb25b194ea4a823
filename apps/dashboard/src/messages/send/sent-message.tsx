import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { StatusBadge } from '../status-badge.js';
import { Timeline } from '../timeline.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { sendTexts } from './texts.js';

/** Shows how the message moves to the recipient. */
export function SentMessage({ jobId, onAnother }: { jobId: string; onAnother: () => void }) {
  const t = useTexts(sendTexts);
  const { sandbox } = useMe();
  const { data, error, refetch } = useQuery(readQuery('getMessage', { params: { job_id: jobId } }));
  return (
    <Panel>
      <PanelHead
        title={t.progress}
        note={t.progressNote}
        actions={data && <StatusBadge status={data.status} />}
        takesFocus
      />
      <div className="flex flex-col gap-5 px-5 pb-5">
        <FailureNotice failure={error} onRetry={refetch} />
        {data === undefined ? <SkeletonLines count={3} /> : <Timeline message={data} />}
        <div className="flex flex-wrap gap-2">
          <Button look="primary" onClick={onAnother}>
            {t.another}
          </Button>
          {sandbox && data !== undefined && (
            <Button asChild>
              <Link to="/handset" search={{ number: data.phone_destination }}>
                {t.handset}
              </Link>
            </Button>
          )}
          <Button asChild look="quiet">
            <Link to="/messages" search={{ job: jobId }}>
              {t.open}
            </Link>
          </Button>
        </div>
      </div>
    </Panel>
  );
}
