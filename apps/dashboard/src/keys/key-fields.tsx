import {
  type MemberRole,
  mayGiveScope,
  mayKnowKey,
  type operationsForPeople,
  scopes,
} from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { useTexts } from '../i18n/texts.js';
import { Field } from '../form/field.js';
import { Input, TextArea } from '../form/input.js';
import { useMe } from '../session/me.js';
import { keyTexts } from './texts.js';

type Body = typeof operationsForPeople.createKey.body;
type Scope = (typeof scopes)[number];
export type KeyForm = UseFormReturn<z.input<Body>, unknown, z.output<Body>>;

const linesOf = (text: string | string[]): string[] =>
  Array.isArray(text) ? text : text.split(/[\s,]+/).filter((line) => line !== '');

/** The scopes of a new key at first. A key without scopes may do everything. */
export const firstScopes = (role: MemberRole): Scope[] =>
  mayKnowKey(role, []) ? [] : ['messages:send', 'messages:read'];

type KeyFieldsProps = {
  form: KeyForm;
  /** The scopes of an existing key. */
  present?: readonly string[];
};

/** The fields that a new key and an existing key have in common. */
export function KeyFields({ form, present }: KeyFieldsProps) {
  const { register } = form;
  const { errors } = form.formState;
  const t = useTexts(keyTexts);
  return (
    <>
      <Field label={t.name} error={errors.name && t.nameNeeded}>
        {(links) => <Input {...links} {...register('name')} placeholder={t.namePlaceholder} autoFocus maxLength={64} />}
      </Field>
      <Rights form={form} {...(present === undefined ? {} : { present })} />
      <Field label={t.ips} hint={t.ipsHint} error={errors.allowed_ips && t.ipsHint}>
        {(links) => (
          <TextArea
            {...links}
            {...register('allowed_ips', { setValueAs: linesOf })}
            rows={2}
            className="font-mono"
            placeholder="203.0.113.0/24"
          />
        )}
      </Field>
    </>
  );
}

function Rights({ form, present }: KeyFieldsProps) {
  const { register, setValue, control } = form;
  const t = useTexts(keyTexts);
  const chosen = useWatch({ control, name: 'scopes' });
  const { role } = useMe().account;
  const mayDoAll = mayKnowKey(role, []) || present?.length === 0;
  const offered = scopes.filter((scope) => mayGiveScope(role, scope) || mayDoAll || present?.includes(scope) === true);
  /** Without this, a key that loses its last scope could do everything. */
  const isLast = (scope: Scope) => chosen?.length === 1 && chosen[0] === scope;
  const [limited, setLimited] = useState((chosen ?? []).length > 0);
  const limit = (next: boolean) => {
    setLimited(next);
    setValue('scopes', next ? ['messages:send', 'messages:read'] : [], { shouldDirty: true });
  };
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium">{t.rights}</legend>
      <div className="flex gap-5 text-sm">
        {[false, true].map((value) => (
          <label key={String(value)} className="flex min-h-11 cursor-pointer items-center gap-2 sm:min-h-8">
            <input
              type="radio"
              checked={limited === value}
              disabled={!value && !mayDoAll}
              onChange={() => limit(value)}
              className="size-4 accent-accent"
            />
            {value ? t.someRights : t.allRights}
          </label>
        ))}
      </div>
      {!mayDoAll && <p className="mt-2 text-sm text-ink-soft">{t.onlyOwners}</p>}
      {limited && (
        <div className="mt-3 grid gap-2 rounded-md border border-line p-3.5 sm:grid-cols-2">
          {offered.map((scope) => (
            <label key={scope} className="flex min-h-11 cursor-pointer items-start gap-2 text-sm">
              <input
                type="checkbox"
                value={scope}
                {...register('scopes')}
                onClick={(event) => isLast(scope) && event.preventDefault()}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span>
                {t.scopes[scope]}
                <code className="block text-xs text-ink-faint">{scope}</code>
              </span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  );
}
