import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { AuthNotice } from './auth-notice.js';
import { securityTexts } from './texts.js';

type PasswordFormProps = { button: string; danger?: boolean; submit: (password: string) => Promise<unknown> };

/** Asks for the password again, before an action that a stolen session must not allow. */
export function PasswordForm({ button, danger = false, submit }: PasswordFormProps) {
  const t = useTexts(securityTexts);
  const [password, setPassword] = useState('');
  const send = useMutation({ mutationFn: submit });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate(password);
  };
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <Field label={t.password}>
        {(links) => (
          <Input
            {...links}
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoFocus
            required
          />
        )}
      </Field>
      <AuthNotice failure={send.error} refused={t.wrongPassword} />
      <Button type="submit" look={danger ? 'danger' : 'primary'} size="large" busy={send.isPending}>
        {button}
      </Button>
    </form>
  );
}
