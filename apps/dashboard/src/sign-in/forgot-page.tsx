import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { requestPasswordReset } from '../api/auth.js';
import { readQuery } from '../api/query.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { AuthField, AuthForm } from './auth-form.js';
import { Door } from './door.js';
import { signInTexts } from './texts.js';

export function ForgotPage() {
  const t = useTexts(signInTexts);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const schema = useMemo(() => z.object({ email: z.email(t.emailWrong) }), [t]);
  const back = (
    <Link to="/sign-in" className="font-medium text-accent hover:underline">
      {t.back}
    </Link>
  );
  if (sentTo !== null) {
    return (
      <Door title={t.linkSent} note={t.linkSentNote(sentTo)} foot={back}>
        <MailboxLink />
      </Door>
    );
  }
  const submit = async ({ email }: { email: string }) => {
    await requestPasswordReset(email);
    setSentTo(email);
  };
  return (
    <Door title={t.forgotTitle} note={t.forgotNote} foot={back}>
      <AuthForm
        schema={schema}
        submit={submit}
        refused={t.failed}
        button={t.sendLink}
        fields={(form) => (
          <AuthField form={form} name="email" label={t.email} type="email" autoComplete="email" autoFocus />
        )}
      />
    </Door>
  );
}

/** Where mails are kept instead of sent, they can be read. */
function MailboxLink() {
  const t = useTexts(signInTexts);
  const { data } = useQuery(readQuery('readSetup', {}));
  if (!data?.mailbox_url) return null;
  return (
    <Button asChild size="large">
      <a href={data.mailbox_url}>{t.mailbox}</a>
    </Button>
  );
}
