import { useQuery } from '@tanstack/react-query';
import { readQuery } from '../http/query.js';
import { formatPhone } from '../format/phone.js';
import { useTexts } from '../i18n/texts.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { MessageActions } from './message-actions.js';
import { MessageFacts } from './message-facts.js';
import type { MessageDetail } from './status.js';
import { StatusBadge } from './status-badge.js';
import { messageTexts } from './texts.js';
import { Timeline } from './timeline.js';

type MessageSheetProps = { jobId: string | undefined; onClose: () => void; onOpen: (jobId: string) => void };

export function MessageSheet({ jobId, onClose, onOpen }: MessageSheetProps) {
  const t = useTexts(messageTexts);
  const { data, error, refetch } = useQuery({
    ...readQuery('getMessage', { params: { job_id: jobId ?? '' } }),
    enabled: jobId !== undefined,
  });
  return (
    <Dialog
      shape="sheet"
      open={jobId !== undefined}
      onClose={onClose}
      title={data === undefined ? t.detail : formatPhone(data.phone_destination)}
    >
      <FailureNotice failure={error} onRetry={refetch} />
      {data === undefined && error === null && <SkeletonLines count={7} />}
      {data !== undefined && <MessageBody message={data} onOpen={onOpen} />}
    </Dialog>
  );
}

function MessageBody({ message, onOpen }: { message: MessageDetail; onOpen: (jobId: string) => void }) {
  const t = useTexts(messageTexts);
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <StatusBadge status={message.status} />
        <MessageActions message={message} onOpen={onOpen} />
      </div>
      <section aria-labelledby="timeline">
        <h3 id="timeline" className="mb-3 text-sm font-semibold">
          {t.timeline}
        </h3>
        <Timeline message={message} />
      </section>
      <MessageFacts message={message} />
    </div>
  );
}
