import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { z } from 'zod';
import { CountrySelect } from '../form/country-select.js';
import { Field } from '../form/field.js';
import { ownTimeZone } from '../format/time-zone.js';
import { signIn, signUp } from '../http/auth.js';
import { readQuery } from '../http/query.js';
import { currentLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { MailboxLink } from '../session/mailbox-link.js';
import { roleTexts } from '../session/role-texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Notice } from '../ui/notice.js';
import { AuthField, AuthForm, NewPasswordField } from './auth-form.js';
import { emailField } from './email-field.js';
import { newPassword } from './password.js';
import { invitationIn } from './safe-next.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInTexts } from './texts.js';
import { useEnter } from './use-enter.js';

/** The invitation, if the person came from its page. */
function useInvitation() {
  const { next } = useSearch({ from: '/sign-up' });
  const token = invitationIn(next);
  const query = readQuery('readInvitation', { params: { token: token ?? '' } });
  const { data, error } = useQuery({ ...query, enabled: token !== null });
  return { token, data, error };
}

export function SignUpPage() {
  const t = useTexts(signInTexts);
  const { roles } = useTexts(roleTexts);
  const { next } = useSearch({ from: '/sign-up' });
  const [mailedTo, setMailedTo] = useState<string | null>(null);
  const setup = useQuery(readQuery('readSetup', { query: { time_zone: ownTimeZone() } }));
  const { token, data: invitation, error } = useInvitation();
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
  const isOpen = setup.data?.sign_up !== false || token !== null;
  const isKnown = token === null || invitation !== undefined || error !== null;
  const by = invitation?.invited_by?.name ?? invitation?.account_name ?? '';
  const note =
    invitation === undefined ? t.signUpNote : t.invitedNote(by, invitation.account_name, roles[invitation.role]);
  return (
    <SignInFrame title={t.signUp} note={note} foot={foot}>
      <FailureNotice failure={error} />
      {!isOpen && <Notice>{t.closed}</Notice>}
      {isOpen && isKnown && (
        <SignUpForm
          invited={invitation === undefined || token === null ? null : { token, email: invitation.email }}
          countries={setup.data?.countries ?? []}
          country={setup.data?.country ?? ''}
          onMailed={setMailedTo}
        />
      )}
    </SignInFrame>
  );
}

type SignUpFormProps = {
  invited: { token: string; email: string } | null;
  countries: readonly string[];
  /** The country of the browser's time zone. Empty: it is not known. */
  country: string;
  /** The person must first confirm this address. */
  onMailed: (email: string) => void;
};

function SignUpForm({ invited, countries, country, onMailed }: SignUpFormProps): ReactNode {
  const t = useTexts(signInTexts);
  const enter = useEnter();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().trim().min(1, t.required).max(64),
        email: emailField(t.required, t.emailWrong),
        password: newPassword(t.passwordShort),
        country: invited === null ? z.string().min(1, t.required) : z.string(),
      }),
    [t, invited],
  );
  const submit = async ({ country: chosen, ...given }: z.output<typeof schema>) => {
    const { email, password } = given;
    const more = invited === null ? { country: chosen } : { invitation: invited.token };
    const { needsConfirming } = await signUp({ ...given, language: currentLanguage(), ...more });
    // The invitation has proved the address.
    if (needsConfirming && invited !== null) await signIn({ email, password });
    else if (needsConfirming) return onMailed(email);
    return enter(invited === null ? undefined : '/');
  };
  return (
    <AuthForm
      schema={schema}
      submit={submit}
      refused={t.taken}
      button={t.create}
      values={{ email: invited?.email ?? '', country: '' }}
      fields={(form) => (
        <>
          <AuthField
            form={form}
            name="name"
            label={invited === null ? t.name : t.yourName}
            autoComplete={invited === null ? 'organization' : 'name'}
            autoFocus
          />
          <AuthField
            form={form}
            name="email"
            label={t.email}
            type="email"
            autoComplete="email"
            readOnly={invited !== null}
          />
          {invited === null && <CountryField form={form} countries={countries} suggested={country} />}
          <NewPasswordField form={form} name="password" label={t.password} />
        </>
      )}
    />
  );
}

type CountryFieldProps = {
  form: UseFormReturn<{ name: string; email: string; password: string; country: string }>;
  countries: readonly string[];
  /** Empty: no country is suggested. */
  suggested: string;
};

/** The suggestion comes later than the form. It does not replace what the person has chosen meanwhile. */
function CountryField({ form, countries, suggested }: CountryFieldProps) {
  const t = useTexts(signInTexts);
  const value = form.watch('country');
  useEffect(() => {
    if (value === '' && suggested !== '') form.setValue('country', suggested);
  }, [form, value, suggested]);
  return (
    <Field label={t.country} hint={t.countryHint} error={form.formState.errors.country?.message}>
      {(links) => (
        <CountrySelect
          {...links}
          {...form.register('country')}
          value={value}
          className="w-full"
          countries={countries}
        />
      )}
    </Field>
  );
}
