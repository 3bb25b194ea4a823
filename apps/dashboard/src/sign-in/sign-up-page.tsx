import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { signUp } from '../http/auth.js';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { AuthField, AuthForm, NewPasswordField } from './auth-form.js';
import { SignInFrame } from './sign-in-frame.js';
import { MailboxLink } from './mailbox-link.js';
import { newPassword } from './password.js';
import { signInTexts } from './texts.js';
import { useEnter } from './use-enter.js';

export function SignUpPage() {
  const t = useTexts(signInTexts);
  const enter = useEnter();
  const { next } = useSearch({ from: '/sign-up' });
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const setup = useQuery(readQuery('readSetup', {}));
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().trim().min(1, t.required).max(64),
        email: z.email(t.emailWrong),
        password: newPassword(t.passwordShort),
      }),
    [t],
  );
  const submit = async (values: z.output<typeof schema>) => {
    const { needsConfirming } = await signUp(values);
    if (needsConfirming) setMailedTo(values.email);
    else await enter();
  };
  const foot = (
    <>
      {t.haveOne}{' '}
      <Link
        to="/sign-in"
        search={next === undefined ? {} : { next }}
        className="font-medium text-accent hover:underline"
      >
        {t.signIn}
      </Link>
    </>
  );
  if (mailedTo !== null) {
    return (
      <SignInFrame title={t.linkSent} note={t.confirmNote(mailedTo)} foot={foot}>
        <MailboxLink />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t.signUp} note={t.signUpNote} foot={foot}>
      {setup.data?.sign_up === false && next === undefined ? (
        <Notice>{t.closed}</Notice>
      ) : (
        <AuthForm
          schema={schema}
          submit={submit}
          refused={t.taken}
          button={t.create}
          fields={(form) => (
            <>
              <AuthField form={form} name="name" label={t.name} autoComplete="organization" autoFocus />
              <AuthField form={form} name="email" label={t.email} type="email" autoComplete="email" />
              <NewPasswordField form={form} name="password" label={t.password} />
            </>
          )}
        />
      )}
    </SignInFrame>
  );
}
