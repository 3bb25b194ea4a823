import { operationsForPeople, newContactsPolicies } from '@kurir/contracts/dashboard';
import { ChevronRight } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Field } from '../../form/field.js';
import { useFieldSentence } from '../../form/field-sentence.js';
import { schemaResolver } from '../../form/schema-resolver.js';
import { Input } from '../../form/input.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Select } from '../../form/select.js';
import { toast } from '../../ui/overlays/toasts.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';

const schema = operationsForPeople.updateDevice.body;
type Body = z.input<typeof schema>;
type SettingsForm = UseFormReturn<Body, unknown, z.output<typeof schema>>;

/** An empty field is `null`, which means none. Text that is not a number becomes `NaN`, which the schema refuses. */
const numberOrNull = (text: unknown) => (text === '' || text === null ? null : Number(text));
const number = (text: unknown) => (text === '' ? undefined : Number(text));

/** Leaves out the proxy: the gateway shows it without its password, so the form must not send it back. */
const valuesOf = ({ name, settings }: Device): Body => ({
  name,
  pace_per_minute: settings.pace_per_minute,
  pace_jitter_ms: settings.pace_jitter_ms,
  typing_ms: settings.typing_ms,
  new_contacts_policy: settings.new_contacts_policy,
  new_contacts_per_day: settings.new_contacts_policy === 'fixed' ? settings.new_contacts_per_day : null,
});

export function DeviceSettings({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const change = useCall('updateDevice', ['listDevices']);
  const form: SettingsForm = useForm({
    resolver: schemaResolver(schema),
    values: valuesOf(device),
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isDirty } = form.formState;
  const saved = () => {
    form.reset(form.getValues());
    toast(t.saved);
  };
  const save = form.handleSubmit(() =>
    change.mutate({ deviceId: device.device_id, body: form.getValues() }, { onSuccess: saved }),
  );
  return (
    <Panel>
      <PanelHead title={t.settings} note={t.settingsNote} />
      <form noValidate className="grid gap-4 px-5 pb-5 sm:grid-cols-2" onSubmit={(event) => void save(event)}>
        <Field label={t.name} error={errors.name && t.required}>
          {(links) => <Input {...links} {...form.register('name')} maxLength={64} />}
        </Field>
        <PaceField form={form} />
        <NewContactsFields form={form} device={device} />
        <TimingFields form={form} />
        <div className="flex items-end justify-end sm:col-span-2">
          <Button type="submit" look="primary" disabled={!isDirty} busy={change.isPending}>
            {t.save}
          </Button>
        </div>
        <div className="empty:hidden sm:col-span-2">
          <FailureNotice failure={change.error} />
        </div>
      </form>
    </Panel>
  );
}

/** Returns the error sentence of a number field, or `undefined` if the schema accepts it. */
function useNumberError({ formState: { errors } }: SettingsForm) {
  const t = useTexts(deviceTexts);
  const sentenceOf = useFieldSentence();
  // Text that is no number breaks the rule of the type.
  return (name: keyof Body) => (errors[name]?.type === 'type' ? t.wrongNumber : sentenceOf(errors[name]));
}

function PaceField({ form }: { form: SettingsForm }) {
  const t = useTexts(deviceTexts);
  const errorOf = useNumberError(form);
  return (
    <Field label={t.pace} hint={t.paceHint} error={errorOf('pace_per_minute')}>
      {(links) => (
        <Input
          {...links}
          {...form.register('pace_per_minute', { setValueAs: numberOrNull })}
          inputMode="numeric"
          placeholder={t.unlimited}
        />
      )}
    </Field>
  );
}

/** Few people change these. */
function TimingFields({ form }: { form: SettingsForm }) {
  const t = useTexts(deviceTexts);
  const errorOf = useNumberError(form);
  return (
    <details className="group sm:col-span-2">
      <summary className="flex min-h-10 cursor-pointer items-center gap-1.5 text-sm font-medium">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {t.more}
      </summary>
      <div className="grid gap-4 pt-2 sm:grid-cols-2">
        <Field label={t.jitter} hint={t.jitterHint} error={errorOf('pace_jitter_ms')}>
          {(links) => (
            <Input {...links} {...form.register('pace_jitter_ms', { setValueAs: number })} inputMode="numeric" />
          )}
        </Field>
        <Field label={t.typing} hint={t.typingHint} error={errorOf('typing_ms')}>
          {(links) => <Input {...links} {...form.register('typing_ms', { setValueAs: number })} inputMode="numeric" />}
        </Field>
      </div>
    </details>
  );
}

function NewContactsFields({ form, device: { settings } }: { form: SettingsForm; device: Device }) {
  const t = useTexts(deviceTexts);
  const errorOf = useNumberError(form);
  const policy = useWatch({ control: form.control, name: 'new_contacts_policy' }) ?? 'automatic';
  // The schema takes a number only with the policy `fixed`.
  const numberOf = (chosen: string) => (chosen === 'fixed' ? (settings.new_contacts_per_day ?? 20) : null);
  return (
    <>
      <Field label={t.policy} hint={t.policyHints[policy]}>
        {(links) => (
          <Select
            {...links}
            {...form.register('new_contacts_policy', {
              onChange: (event: ChangeEvent<HTMLSelectElement>) =>
                form.setValue('new_contacts_per_day', numberOf(event.target.value), { shouldDirty: true }),
            })}
          >
            {newContactsPolicies.map((one) => (
              <option key={one} value={one}>
                {t.policies[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {policy === 'fixed' && (
        <Field label={t.perDay} error={errorOf('new_contacts_per_day')}>
          {(links) => (
            <Input
              {...links}
              {...form.register('new_contacts_per_day', { setValueAs: numberOrNull })}
              inputMode="numeric"
            />
          )}
        </Field>
      )}
    </>
  );
}
