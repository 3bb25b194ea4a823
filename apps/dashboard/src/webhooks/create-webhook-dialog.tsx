import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { SecretDialog } from './secret-dialog.js';
import { webhookTexts } from './texts.js';
import { emptyDraft, WebhookForm } from './webhook-form.js';

/** Creates a webhook, shows its secret, and then opens its page. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(webhookTexts);
  const navigate = useNavigate();
  const create = useCall('createWebhook', ['listWebhooks']);
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null);
  if (made !== null) {
    const open = () => void navigate({ to: '/webhooks/$webhookId', params: { webhookId: made.id } });
    return <SecretDialog secret={made.secret} onClose={open} />;
  }
  return (
    <Dialog open onClose={onClose} title={t.create} shape="wide-card">
      <WebhookForm
        first={emptyDraft}
        action={t.create}
        busy={create.isPending}
        failure={create.error}
        onSubmit={(body) =>
          create.mutate({ body }, { onSuccess: ({ webhook, secret }) => setMade({ id: webhook.webhook_id, secret }) })
        }
      />
    </Dialog>
  );
}
