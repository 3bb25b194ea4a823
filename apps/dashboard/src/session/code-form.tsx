import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';

type CodeFormProps = {
  label: string;
  button: string;
  busy: boolean;
  /** `six-digits` takes a code of an authenticator only; `any-code` takes a backup code too. */
  takes: 'six-digits' | 'any-code';
  /** Gets the code without spaces, which apps and people put into it. */
  onCode: (code: string) => void;
  /** Shows the failure of the last code. */
  children: ReactNode;
};

const limits = { 'six-digits': { pattern: '\\s*(\\d\\s*){6}' }, 'any-code': { minLength: 6 } };

export function CodeForm({ label, button, busy, takes, onCode, children }: CodeFormProps) {
  const [code, setCode] = useState('');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onCode(code.replace(/\s/g, ''));
      }}
    >
      <Field label={label}>
        {(links) => (
          <Input
            {...links}
            {...limits[takes]}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            inputMode={takes === 'six-digits' ? 'numeric' : 'text'}
            autoComplete="one-time-code"
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
