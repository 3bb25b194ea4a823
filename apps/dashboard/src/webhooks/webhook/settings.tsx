import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/layout/panel.js';
import { Moment } from '../../ui/moment.js';
import { Notice } from '../../ui/notice.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { toast } from '../../ui/overlays/toasts.js';
import { SecretDialog } from '../secret-dialog.js';
import type { Webhook } from '../state.js';
import { webhookTexts } from '../texts.js';
import { WebhookForm } from '../webhook-form.js';
import { deliveryTexts } from './texts.js';

export function WebhookSettings({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhookTexts);
  const change = useCall('updateWebhook', ['getWebhook', 'listWebhooks']);
  const params = { webhook_id: webhook.webhook_id };
  return (
    <div className="flex flex-col gap-6">
      <Panel className="p-5">
        <WebhookForm
          first={webhook}
          action={t.save}
          busy={change.isPending}
          failure={change.error}
          onSubmit={({ url, description, mode, max_per_second, types, device_ids }) =>
            change.mutate(
              { params, body: { url, description, mode, max_per_second, types, device_ids } },
              { onSuccess: () => toast(t.saved) },
            )
          }
        />
      </Panel>
      <div className="flex flex-wrap gap-2">
        <RotateButton webhook={webhook} />
        <DeleteButton webhook={webhook} />
      </div>
    </div>
  );
}

function RotateButton({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const [asking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useCall('rotateWebhookSecret', ['getWebhook']);
  const show = (made: { secret: string }) => {
    setAsking(false);
    setSecret(made.secret);
  };
  const [, old] = webhook.secrets;
  return (
    <>
      {old?.expires_at && (
        <div className="w-full">
          <Notice>
            {t.oldSecretEnds} <Moment at={old.expires_at} />.
          </Notice>
        </div>
      )}
      <Button onClick={() => setAsking(true)}>{t.rotate}</Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.rotateTitle}
        action={t.rotate}
        onConfirm={() => rotate.mutate({ params: { webhook_id: webhook.webhook_id } }, { onSuccess: show })}
        busy={rotate.isPending}
        failure={rotate.error}
      >
        {t.rotateNote}
      </ConfirmDialog>
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function DeleteButton({ webhook }: { webhook: Webhook }) {
  const t = useTexts(deliveryTexts);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  // The list is read again after the page was left, because this webhook is in it no more.
  const remove = useCall('deleteWebhook');
  const leave = () => {
    toast(t.deleted);
    void navigate({ to: '/webhooks' });
  };
  return (
    <>
      <Button look="quiet-danger" onClick={() => setAsking(true)}>
        {t.delete}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.deleteTitle}
        action={t.delete}
        onConfirm={() => remove.mutate({ params: { webhook_id: webhook.webhook_id } }, { onSuccess: leave })}
        busy={remove.isPending}
        failure={remove.error}
      >
        {t.deleteNote}
      </ConfirmDialog>
    </>
  );
}
