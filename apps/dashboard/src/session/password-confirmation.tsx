import { type ReactNode, useState } from 'react';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { Button } from '../ui/button.js';

type PasswordConfirmationProps = {
  label: string;
  button: string;
  busy: boolean;
  onPassword: (password: string) => void;
  /** Shows the failure of the last password. */
  children: ReactNode;
};

export function PasswordConfirmation({ label, button, busy, onPassword, children }: PasswordConfirmationProps) {
  const [password, setPassword] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onPassword(password);
      }}
    >
      <Field label={label}>
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
      {children}
      <Button type="submit" look="primary" size="large" busy={busy}>
        {button}
      </Button>
    </form>
  );
}
