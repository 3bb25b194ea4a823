import { useMutation } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Fingerprint } from 'lucide-react';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { signIn, signInWithPasskey, verifyCode } from '../http/auth.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { PasskeyPlace } from '../session/passkey-place.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { AuthField, AuthForm } from './auth-form.js';
import { authSentence } from './auth-sentence.js';
import { emailField } from './email-field.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInTexts } from './texts.js';
import { useEnter } from './use-enter.js';

export function SignInPage() {
  const [needsCode, setNeedsCode] = useState(false);
  return needsCode ? (
    <CodeStep onBack={() => setNeedsCode(false)} />
  ) : (
    <PasswordStep onNeedsCode={() => setNeedsCode(true)} />
  );
}

function PasswordStep({ onNeedsCode }: { onNeedsCode: () => void }) {
  const t = useTexts(signInTexts);
  const enter = useEnter();
  const { next, reset } = useSearch({ from: '/sign-in' });
  const schema = useMemo(
    () => z.object({ email: emailField(t.required, t.emailWrong), password: z.string().min(1, t.required) }),
    [t],
  );
  const submit = async (values: z.output<typeof schema>) => {
    const { needsCode } = await signIn(values);
    if (needsCode) onNeedsCode();
    else await enter();
  };
  const foot = (
    <>
      {t.newHere}{' '}
      <Link
        to="/sign-up"
        search={next === undefined ? {} : { next }}
        className="font-medium text-accent hover:underline"
      >
        {t.signUp}
      </Link>
    </>
  );
  return (
    <SignInFrame title={t.signIn} note={t.signInNote} foot={foot}>
      {reset === true && <Notice tone="ok">{t.saved}</Notice>}
      <AuthForm
        schema={schema}
        submit={submit}
        refused={t.wrong}
        button={t.signIn}
        fields={(form) => (
          <>
            <AuthField
              form={form}
              name="email"
              label={t.email}
              type="email"
              autoComplete="username webauthn"
              autoFocus
            />
            <AuthField
              form={form}
              name="password"
              label={t.password}
              hint=""
              type="password"
              autoComplete="current-password"
            />
            <Link
              to="/forgot"
              className="-mt-4 -mb-2.5 self-end py-2.5 text-sm text-ink-soft hover:text-ink hover:underline"
            >
              {t.forgot}
            </Link>
          </>
        )}
      />
      <PasskeyButton />
    </SignInFrame>
  );
}

function PasskeyButton() {
  const t = useTexts(signInTexts);
  const language = useLanguage();
  const enter = useEnter();
  const passkey = useMutation({
    mutationFn: async () => {
      await signInWithPasskey();
      await enter();
    },
  });
  return (
    <div className="flex flex-col gap-3">
      <p className="flex items-center gap-3 text-xs text-ink-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.or}
      </p>
      <PasskeyPlace>
        <Button size="large" busy={passkey.isPending} onClick={() => passkey.mutate()}>
          <Fingerprint aria-hidden className="size-4.5" />
          {t.passkey}
        </Button>
      </PasskeyPlace>
      {passkey.error !== null && (
        <Notice tone="bad" live>
          {authSentence(passkey.error, t, t.failed, language)}
        </Notice>
      )}
    </div>
  );
}

function CodeStep({ onBack }: { onBack: () => void }) {
  const t = useTexts(signInTexts);
  const enter = useEnter();
  const schema = useMemo(() => z.object({ code: z.string().trim().min(6, t.required) }), [t]);
  const submit = async ({ code }: { code: string }) => {
    await verifyCode(code.replace(/\s/g, ''));
    await enter();
  };
  const back = (
    <button type="button" className="-my-2.5 py-2.5 font-medium text-accent hover:underline" onClick={onBack}>
      {t.back}
    </button>
  );
  return (
    <SignInFrame title={t.codeTitle} note={t.codeNote} foot={back}>
      <AuthForm
        schema={schema}
        submit={submit}
        refused={t.wrongCode}
        button={t.continue}
        fields={(form) => <AuthField form={form} name="code" label={t.code} autoComplete="one-time-code" autoFocus />}
      />
    </SignInFrame>
  );
}
