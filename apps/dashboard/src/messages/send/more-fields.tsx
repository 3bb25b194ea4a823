import { messageCategories, type sendForm } from '@kurir/contracts/dashboard';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { useTexts } from '../../i18n/texts.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Select } from '../../form/select.js';
import { sendTexts } from './texts.js';

type Schema = typeof sendForm;
export type SendBody = z.input<Schema>;
export type SendFormState = UseFormReturn<SendBody, unknown, z.output<Schema>>;

const priorities = ['otp', 'normal', 'bulk'] as const satisfies readonly SendBody['priority'][];

const textOrNothing = <T extends string>(text: T | '' | undefined): T | undefined => (text === '' ? undefined : text);
const numberOrNothing = (text: unknown) => (text === '' || text === undefined ? undefined : Number(text));
/** A date field of the browser holds local time; the gateway takes a time with its offset. */
const instantOrNothing = (text: string | undefined) => (text ? new Date(text).toISOString() : undefined);

type MoreFieldsProps = { form: SendFormState; sentence: (name: keyof SendBody) => string | undefined };

/** The fields that most messages do not need. */
export function MoreFields({ form: { register }, sentence }: MoreFieldsProps) {
  const t = useTexts(sendTexts);
  return (
    <details className="rounded-md border border-line px-4 open:pb-4">
      <summary className="cursor-pointer py-3 text-sm font-medium">{t.more}</summary>
      <div className="mt-2 flex flex-col gap-4">
        <Field label={t.priority}>
          {(links) => (
            <Select {...links} {...register('priority')}>
              {priorities.map((priority) => (
                <option key={priority} value={priority}>
                  {t.priorities[priority]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t.category} hint={t.categoryHint} error={sentence('category')}>
          {(links) => (
            <Select {...links} {...register('category', { setValueAs: textOrNothing })}>
              <option value="">{t.usualCategory}</option>
              {messageCategories.map((category) => (
                <option key={category} value={category}>
                  {t.categories[category]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t.ttl} hint={t.ttlHint} error={sentence('ttl_seconds')}>
          {(links) => (
            <Input {...links} {...register('ttl_seconds', { setValueAs: numberOrNothing })} inputMode="numeric" />
          )}
        </Field>
        <Field label={t.sendAt} error={sentence('send_at')}>
          {(links) => (
            <Input {...links} {...register('send_at', { setValueAs: instantOrNothing })} type="datetime-local" />
          )}
        </Field>
        <Field label={t.ref} hint={t.refHint} error={sentence('client_ref')}>
          {(links) => <Input {...links} {...register('client_ref', { setValueAs: textOrNothing })} maxLength={64} />}
        </Field>
      </div>
    </details>
  );
}
