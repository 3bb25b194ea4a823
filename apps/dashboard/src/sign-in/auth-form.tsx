import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { Notice } from '../ui/notice.js';
import { authSentence } from './auth-sentence.js';
import { signInTexts } from './texts.js';

type Fields = FieldValues;

export type AuthFormProps<F extends Fields> = {
  schema: z.ZodType<F, F>;
  submit: (values: F) => Promise<unknown>;
  /** The sentence to show if the gateway refuses the values. */
  refused: string;
  button: string;
  /** The fields hold these at first. */
  values?: DefaultValues<F>;
  fields: (form: UseFormReturn<F, unknown, F>) => ReactNode;
};

export function AuthForm<F extends Fields>({ schema, submit, refused, button, values, fields }: AuthFormProps<F>) {
  const t = useTexts(signInTexts);
  const language = useLanguage();
  const form = useForm<F, unknown, F>({
    resolver: zodResolver(schema),
    ...(values === undefined ? {} : { defaultValues: values }),
  });
  const send = useMutation({ mutationFn: submit });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void form.handleSubmit((values) => send.mutate(values))(event)}
    >
      {send.error !== null && (
        <Notice tone="bad" live>
          {authSentence(send.error, t, refused, language)}
        </Notice>
      )}
      {fields(form)}
      <Button type="submit" look="primary" size="large" busy={send.isPending || send.isSuccess}>
        {button}
      </Button>
    </form>
  );
}

type AuthFieldProps<F extends Fields> = {
  form: UseFormReturn<F, unknown, F>;
  name: FieldPath<F>;
  label: ReactNode;
  hint?: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  autoFocus?: boolean;
  readOnly?: boolean;
};

export function AuthField<F extends Fields>({
  form,
  name,
  label,
  hint,
  type = 'text',
  autoComplete,
  autoFocus,
  readOnly,
}: AuthFieldProps<F>) {
  const error = form.getFieldState(name, form.formState).error?.message;
  return (
    <Field label={label} hint={hint} error={error}>
      {(links) => (
        <Input
          {...links}
          {...form.register(name)}
          type={type}
          autoComplete={autoComplete}
          autoFocus={autoFocus}
          readOnly={readOnly}
        />
      )}
    </Field>
  );
}

type NewPasswordProps<F extends Fields> = Pick<AuthFieldProps<F>, 'form' | 'name' | 'label' | 'autoFocus'>;

export function NewPasswordField<F extends Fields>(props: NewPasswordProps<F>) {
  const t = useTexts(signInTexts);
  return <AuthField {...props} hint={t.passwordHint} type="password" autoComplete="new-password" />;
}
