import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';

export function UnlinkButton({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const [asking, setAsking] = useState(false);
  const unlink = useCall('disconnectDevice', ['listDevices', 'readOverview']);
  const confirm = () => unlink.mutate({ deviceId: device.device_id }, { onSuccess: () => setAsking(false) });
  return (
    <>
      <Button look="quiet-danger" className="self-start" onClick={() => setAsking(true)}>
        {t.unlink}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.unlinkTitle(device.name)}
        action={t.unlink}
        onConfirm={confirm}
        busy={unlink.isPending}
        failure={unlink.error}
      >
        {t.unlinkNote}
      </ConfirmDialog>
    </>
  );
}
