import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { z } from 'zod';
import { resetPassword } from '../http/auth.js';
import { useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { AuthForm, NewPasswordField } from './auth-form.js';
import { SignInFrame } from './sign-in-frame.js';
import { newPassword } from './password.js';
import { resetTexts } from './reset-texts.js';
import { signInTexts } from './texts.js';

export function ResetPage() {
  const t = useTexts(signInTexts);
  const r = useTexts(resetTexts);
  const navigate = useNavigate();
  const { token } = useSearch({ from: '/reset-password' });
  const schema = useMemo(() => z.object({ password: newPassword(t.passwordShort), keepPasskeys: z.boolean() }), [t]);
  const again = (
    <Link to="/forgot" className="font-medium text-accent hover:underline">
      {t.sendLink}
    </Link>
  );
  if (token === undefined) {
    return (
      <SignInFrame title={r.resetTitle} foot={again}>
        <Notice tone="bad">{r.resetBad}</Notice>
      </SignInFrame>
    );
  }
  const submit = async ({ password, keepPasskeys }: z.output<typeof schema>) => {
    await resetPassword(token, password, keepPasskeys);
    await navigate({ to: '/sign-in', search: { reset: true } });
  };
  return (
    <SignInFrame title={r.resetTitle} note={r.resetNote} foot={again}>
      <AuthForm
        schema={schema}
        submit={submit}
        refused={r.resetBad}
        button={t.save}
        fields={(form) => (
          <>
            <NewPasswordField form={form} name="password" label={t.newPassword} autoFocus />
            <label className="flex items-start gap-3 text-sm">
              <input type="checkbox" className="mt-0.5 size-4 accent-accent" {...form.register('keepPasskeys')} />
              <span>
                <span className="font-medium">{r.keepPasskeys}</span>
                <span className="block text-xs text-ink-faint">{r.keepPasskeysNote}</span>
              </span>
            </label>
          </>
        )}
      />
    </SignInFrame>
  );
}
