import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { requestPasswordReset } from '../http/auth.js';
import { useTexts } from '../i18n/texts.js';
import { MailboxLink } from '../session/mailbox-link.js';
import { AuthField, AuthForm } from './auth-form.js';
import { emailField } from './email-field.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInTexts } from './texts.js';

export function ForgotPage() {
  const t = useTexts(signInTexts);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const schema = useMemo(() => z.object({ email: emailField(t.required, t.emailWrong) }), [t]);
  const back = (
    <Link to="/sign-in" className="font-medium text-accent hover:underline">
      {t.back}
    </Link>
  );
  if (sentTo !== null) {
    return (
      <SignInFrame title={t.linkSent} note={t.linkSentNote(sentTo)} foot={back}>
        <MailboxLink />
      </SignInFrame>
    );
  }
  const submit = async ({ email }: { email: string }) => {
    await requestPasswordReset(email);
    setSentTo(email);
  };
  return (
    <SignInFrame title={t.forgotTitle} note={t.forgotNote} foot={back}>
      <AuthForm
        schema={schema}
        submit={submit}
        refused={t.failed}
        button={t.sendLink}
        fields={(form) => (
          <AuthField form={form} name="email" label={t.email} type="email" autoComplete="email" autoFocus />
        )}
      />
    </SignInFrame>
  );
}
