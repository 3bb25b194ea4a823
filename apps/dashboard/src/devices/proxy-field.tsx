import type { UseFormRegisterReturn } from 'react-hook-form';
import { useTexts } from '../i18n/texts.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { deviceTexts } from './texts.js';

type ProxyFieldProps = {
  label: string;
  hint: string;
  optional?: string;
  isWrong: boolean;
  field: UseFormRegisterReturn;
};

/** The address may contain a password, so the browser must not store it or give it to a spelling checker. */
export function ProxyField({ isWrong, field, ...rest }: ProxyFieldProps) {
  const t = useTexts(deviceTexts);
  return (
    <Field {...rest} error={isWrong ? t.proxyWrong : undefined}>
      {(links) => (
        <Input
          {...links}
          {...field}
          className="font-mono"
          placeholder="socks5://user:password@host:1080"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="url"
        />
      )}
    </Field>
  );
}
