import { RotateCw, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { toast } from '../ui/overlays/toasts.js';
import type { MessageDetail } from './status.js';
import { messageTexts } from './texts.js';

type MessageActionsProps = { message: MessageDetail; onOpen: (jobId: string) => void };

export function MessageActions({ message, onOpen }: MessageActionsProps) {
  const t = useTexts(messageTexts);
  const mayChange = useMay('developer');
  const retry = useCall('retryMessage', ['listMessages']);
  if (!mayChange) return null;
  const again = () =>
    retry.mutate(
      { params: { job_id: message.job_id } },
      {
        onSuccess: ({ job_id }) => {
          toast(t.retried);
          onOpen(job_id);
        },
      },
    );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {message.can_cancel && <CancelButton message={message} />}
      {message.can_retry && (
        <Button size="small" busy={retry.isPending} onClick={again}>
          <RotateCw aria-hidden className="size-4" />
          {t.retry}
        </Button>
      )}
      <FailureNotice failure={retry.error} />
    </div>
  );
}

function CancelButton({ message }: { message: MessageDetail }) {
  const t = useTexts(messageTexts);
  const [asking, setAsking] = useState(false);
  const cancel = useCall('cancelMessage', ['listMessages', 'getMessage']);
  const confirm = () =>
    cancel.mutate(
      { params: { job_id: message.job_id } },
      {
        onSuccess: () => {
          setAsking(false);
          toast(t.cancelled);
        },
      },
    );
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        <Undo2 aria-hidden className="size-4" />
        {t.cancel}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.cancelTitle}
        action={t.cancelAction}
        onConfirm={confirm}
        busy={cancel.isPending}
        failure={cancel.error}
      >
        {t.cancelNote}
      </ConfirmDialog>
    </>
  );
}
