/** Says why the gateway did not take a message, and what to do about it. */
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.js';
import { Button } from '../../../ui/button.js';
import { FailureNotice } from '../../../ui/failure-notice.js';
import { chatTexts } from '../../chat-texts.js';

export function NotSent({ failure, deviceId }: { failure: unknown; deviceId: string }) {
  const t = useTexts(chatTexts);
  const device = (
    <Button asChild size="small">
      <Link to="/devices/$deviceId" params={{ deviceId }}>
        {t.openDevice}
      </Link>
    </Button>
  );
  return (
    <FailureNotice
      failure={failure}
      sentences={{ OFFLINE: t.offline }}
      actions={{ DEVICE_NOT_LINKED: device, DEVICE_NOT_CONNECTED: device }}
    />
  );
}
