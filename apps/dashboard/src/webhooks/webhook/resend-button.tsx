import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMay } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Webhook } from '../state.js';
import { deliveryTexts } from './texts.js';

export function ResendButton({ eventId, webhook }: { eventId: string; webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const mayChange = useMay('developer');
  const resend = useCall('resendEvent', ['listFailedEvents', 'getWebhook', 'listWebhookAttempts']);
  if (!mayChange || !webhook.enabled) return null;
  const given = { params: { event_id: eventId }, body: { webhook_id: webhook.webhook_id } };
  return (
    <div className="flex flex-col items-start gap-2">
      <FailureNotice failure={resend.error} />
      <Button
        size="small"
        busy={resend.isPending}
        onClick={() => resend.mutate(given, { onSuccess: () => toast(t.resent) })}
      >
        {t.resend}
      </Button>
    </div>
  );
}
