import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { useMe } from '../../session/me.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { profileTexts } from './texts.js';

export function NameForm() {
  const t = useTexts(profileTexts);
  const { user } = useMe();
  const schema = useMemo(() => z.object({ name: z.string().trim().min(1, t.required).max(64, t.nameWrong) }), [t]);
  const form = useForm<z.output<typeof schema>>({ resolver: zodResolver(schema), values: { name: user.name } });
  const rename = useCall('renameMe', ['readMe', 'listMembers']);
  const submit = form.handleSubmit((body) => rename.mutate({ body }, { onSuccess: () => toast(t.nameSaved) }));
  return (
    <Panel className="p-5">
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={t.name} hint={t.nameNote} error={form.formState.errors.name?.message}>
          {(links) => <Input {...links} {...form.register('name')} autoComplete="name" maxLength={64} />}
        </Field>
        <FailureNotice failure={rename.error} />
        <Button type="submit" className="self-start" busy={rename.isPending}>
          {t.save}
        </Button>
      </form>
    </Panel>
  );
}
