import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { type CountedBroadcast, figuresOf } from '../figures.js';
import { isBeforeStart } from '../state.js';
import { useCount } from '../use-count.js';
import { liveTexts } from './texts.js';

type CancelDialogProps = { open: boolean; found: CountedBroadcast; onClose: () => void };

export function CancelDialog({ open, found: { broadcast, counts }, onClose }: CancelDialogProps) {
  const t = useTexts(liveTexts);
  const count = useCount();
  const cancel = useCall('cancelBroadcast', ['getBroadcast', 'listBroadcasts', 'listBroadcastRecipients']);
  const said = () => {
    onClose();
    toast(t.cancelled);
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={t.cancelTitle}
      action={t.cancelAction}
      onConfirm={() => cancel.mutate({ params: { broadcast_id: broadcast.broadcast_id } }, { onSuccess: said })}
      busy={cancel.isPending}
      failure={cancel.error}
    >
      {isBeforeStart(broadcast.state) ? t.cancelDraftNote : t.cancelNote(count(figuresOf(counts).left))}
    </ConfirmDialog>
  );
}
