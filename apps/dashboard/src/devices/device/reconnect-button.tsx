import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';

/** For a contested device, which no longer connects by itself. */
export function ReconnectButton({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const reconnect = useCall('reconnectDevice', ['listDevices', 'readOverview']);
  return (
    <div className="mt-3 flex flex-col gap-2">
      <Button
        className="self-start"
        busy={reconnect.isPending}
        onClick={() => reconnect.mutate({ deviceId: device.device_id })}
      >
        {t.reconnect}
      </Button>
      <FailureNotice failure={reconnect.error} />
    </div>
  );
}
