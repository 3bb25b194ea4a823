import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { changePassword } from '../../http/auth.js';
import { useTexts } from '../../i18n/texts.js';
import { newPassword } from '../../sign-in/password.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { AuthNotice } from './auth-notice.js';
import { securityTexts } from './texts.js';

export function ChangePassword() {
  const t = useTexts(securityTexts);
  const client = useQueryClient();
  const schema = useMemo(() => z.object({ current: z.string().min(1, t.needed), next: newPassword(t.tooShort) }), [t]);
  const form = useForm<z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { current: '', next: '' },
  });
  const change = useMutation({
    mutationFn: ({ current, next }: z.output<typeof schema>) => changePassword(current, next),
    onSuccess: async () => {
      form.reset();
      toast(t.changed);
      await client.invalidateQueries({ queryKey: ['auth'] });
    },
  });
  const { errors } = form.formState;
  return (
    <Panel>
      <PanelHead title={t.changePassword} note={t.changePasswordNote} />
      <form
        noValidate
        className="flex flex-col gap-4 px-5 pb-5"
        onSubmit={(event) => void form.handleSubmit((values) => change.mutate(values))(event)}
      >
        <Field label={t.current} error={errors.current?.message}>
          {(links) => (
            <Input {...links} {...form.register('current')} type="password" autoComplete="current-password" />
          )}
        </Field>
        <Field label={t.next} hint={t.nextHint} error={errors.next?.message}>
          {(links) => <Input {...links} {...form.register('next')} type="password" autoComplete="new-password" />}
        </Field>
        <AuthNotice failure={change.error} refused={t.wrongPassword} />
        <Button type="submit" className="self-start" busy={change.isPending}>
          {t.change}
        </Button>
      </form>
    </Panel>
  );
}
