import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';

/** For a device that is not linked. */
export function DeleteButton({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  // The list is read again after the page was left, because this device is in it no more.
  const remove = useCall('deleteDevice', ['readOverview']);
  const leave = () => {
    toast(t.deleted);
    void navigate({ to: '/devices' });
  };
  const confirm = () => remove.mutate({ params: { device_id: device.device_id } }, { onSuccess: leave });
  return (
    <>
      <Button look="quiet-danger" className="self-start" onClick={() => setAsking(true)}>
        {t.delete}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.deleteTitle(device.name)}
        action={t.delete}
        onConfirm={confirm}
        busy={remove.isPending}
        failure={remove.error}
      >
        {t.deleteNote}
      </ConfirmDialog>
    </>
  );
}
