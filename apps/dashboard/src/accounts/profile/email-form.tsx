import { zodResolver } from '@hookform/resolvers/zod';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { MailboxLink } from '../../session/mailbox-link.js';
import { useMe } from '../../session/me.js';
import { emailField } from '../../sign-in/email-field.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Notice } from '../../ui/notice.js';
import { profileTexts } from './texts.js';

/** The new address counts once the person opens the link that was sent to it. */
export function EmailForm() {
  const t = useTexts(profileTexts);
  const { email } = useMe().user;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const schema = useMemo(
    () =>
      z.object({
        email: emailField(t.required, t.emailWrong).refine((typed) => typed.toLowerCase() !== email, t.emailSame),
      }),
    [t, email],
  );
  const form = useForm<z.output<typeof schema>>({ resolver: zodResolver(schema), defaultValues: { email: '' } });
  const change = useCall('changeMyEmail');
  const submit = form.handleSubmit((body) =>
    change.mutate(
      { body },
      {
        onSuccess: () => {
          setSentTo(body.email);
          form.reset();
        },
      },
    ),
  );
  return (
    <Panel>
      <PanelHead title={t.email} note={t.emailNow(email)} />
      <form noValidate className="flex flex-col gap-4 px-5 pb-5" onSubmit={(event) => void submit(event)}>
        {sentTo !== null && (
          <Notice tone="ok" live>
            {t.linkSent(sentTo)} {t.linkNote}
          </Notice>
        )}
        <Field label={t.newEmail} error={form.formState.errors.email?.message}>
          {(links) => <Input {...links} {...form.register('email')} type="email" autoComplete="email" />}
        </Field>
        <FailureNotice failure={change.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" busy={change.isPending}>
            {t.sendLink}
          </Button>
          {sentTo !== null && <MailboxLink size="medium" />}
        </div>
      </form>
    </Panel>
  );
}
