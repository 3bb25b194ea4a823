import { zodResolver } from '@hookform/resolvers/zod';
import { operationsForPeople, scopes } from '@kurir/contracts/dashboard';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { toast } from '../ui/overlays/toasts.js';
import { KeyFields } from './key-fields.js';
import type { ApiKey } from './rows.js';
import { keyTexts } from './texts.js';

const schema = operationsForPeople.createKey.body;

type EditKeyDialogProps = { apiKey: ApiKey; open: boolean; onClose: () => void };

export function EditKeyDialog({ apiKey, open, onClose }: EditKeyDialogProps) {
  const t = useTexts(keyTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.editTitle(apiKey.name)}>
      <EditKeyForm apiKey={apiKey} onDone={onClose} />
    </Dialog>
  );
}

function EditKeyForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const t = useTexts(keyTexts);
  const change = useCall('changeKey', ['listKeys']);
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: {
      name: apiKey.name,
      scopes: scopes.filter((scope) => apiKey.scopes.includes(scope)),
      allowed_ips: apiKey.allowed_ips,
    },
  });
  const saved = () => {
    toast(t.saved);
    onDone();
  };
  const submit = form.handleSubmit(() =>
    change.mutate({ params: { api_key: apiKey.api_key }, body: form.getValues() }, { onSuccess: saved }),
  );
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <KeyFields form={form} present={apiKey.scopes} />
      <FailureNotice failure={change.error} />
      <Button type="submit" look="primary" size="large" busy={change.isPending}>
        {t.save}
      </Button>
    </form>
  );
}
