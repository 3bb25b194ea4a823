import { zodResolver } from '@hookform/resolvers/zod';
import { type DashboardData, operationsForPeople } from '@kurir/contracts/dashboard';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../form/field.js';
import { Select } from '../form/select.js';
import { useMe } from '../session/me.js';
import { firstScopes, KeyFields } from './key-fields.js';
import { keyTexts } from './texts.js';

const schema = operationsForPeople.createKey.body;

type CreateKeyDialogProps = {
  open: boolean;
  onClose: () => void;
  onCreated: (made: DashboardData<'createKey'>) => void;
};

export function CreateKeyDialog({ open, onClose, onCreated }: CreateKeyDialogProps) {
  const t = useTexts(keyTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.create}>
      <CreateKeyForm
        onCreated={(made) => {
          onClose();
          onCreated(made);
        }}
      />
    </Dialog>
  );
}

function CreateKeyForm({ onCreated }: Pick<CreateKeyDialogProps, 'onCreated'>) {
  const t = useTexts(keyTexts);
  const create = useCall('createKey', ['listKeys', 'readOverview']);
  const { account, sandbox } = useMe();
  const { role } = account;
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name: '', mode: sandbox ? 'test' : 'live', scopes: firstScopes(role), allowed_ips: [] },
  });
  const submit = form.handleSubmit(() => create.mutate({ body: form.getValues() }, { onSuccess: onCreated }));
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
      <KeyFields form={form} />
      <Field label={t.mode} hint={t.modeHint}>
        {(links) => (
          <Select {...links} {...form.register('mode')}>
            {sandbox && <option value="test">{t.test}</option>}
            <option value="live">{t.live}</option>
          </Select>
        )}
      </Field>
      <FailureNotice failure={create.error} />
      <Button type="submit" look="primary" size="large" busy={create.isPending}>
        {t.create}
      </Button>
    </form>
  );
}
