import type { dashboardRoutes } from '@kurir/contracts/dashboard';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../api/use-call.js';
import type { Device } from '../devices/state.js';
import { useLateSchema } from '../form/late-schema.js';
import { phoneDigits } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../ui/field.js';
import { Input, TextArea } from '../ui/input.js';
import { Panel } from '../ui/panel.js';
import { Select } from '../ui/select.js';
import { sendTexts } from './texts.js';

type Schema = typeof dashboardRoutes.sendTest.body;
type Body = z.input<Schema>;
export type Draft = Pick<Body, 'device_id' | 'phone_destination' | 'message'>;

type SendFormProps = {
  devices: readonly Device[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSent: (jobId: string) => void;
};

const loadSchema = async () => (await import('./send-schema.js')).sendSchema;
const priorities = ['otp', 'normal', 'bulk'] as const satisfies readonly Body['priority'][];

const textOrNothing = (text: string | undefined) => (text === '' ? undefined : text);
const numberOrNothing = (text: unknown) => (text === '' || text === undefined ? undefined : Number(text));
/** What a browser's date field holds is the time here; the gateway wants it with its offset. */
const instantOrNothing = (text: string | undefined) => (text ? new Date(text).toISOString() : undefined);

export function SendForm({ devices, draft, onChange, onSent }: SendFormProps) {
  const t = useTexts(sendTexts);
  const send = useCall('sendTest', ['listMessages', 'readOverview']);
  const form = useForm<Body, unknown, z.output<Schema>>({
    resolver: useLateSchema(loadSchema),
    defaultValues: { ...draft, priority: 'normal' },
  });
  const { errors } = form.formState;
  const tell = () => onChange(form.getValues());
  const submit = form.handleSubmit(() =>
    send.mutate({ body: form.getValues() }, { onSuccess: ({ job_id }) => onSent(job_id) }),
  );
  const sentence = (name: keyof Body) => errors[name] && (errors[name].message ?? t.wrong);
  return (
    <Panel>
      <form noValidate className="flex flex-col gap-4 p-5" onSubmit={(event) => void submit(event)} onChange={tell}>
        <Field label={t.device} error={sentence('device_id')}>
          {(links) => (
            <Select {...links} {...form.register('device_id')}>
              {devices.map((device) => (
                <option key={device.device_id} value={device.device_id}>
                  {device.state === 'connected' ? device.name : `${device.name} (${t.notConnected})`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t.to} hint={t.toHint} error={sentence('phone_destination')}>
          {(links) => (
            <Input
              {...links}
              {...form.register('phone_destination', { setValueAs: (text: string) => phoneDigits(text) })}
              inputMode="tel"
            />
          )}
        </Field>
        <Field label={t.message} error={sentence('message')}>
          {(links) => <TextArea {...links} {...form.register('message')} rows={4} />}
        </Field>
        <details className="rounded-md border border-line px-4 py-3 open:pb-4">
          <summary className="cursor-pointer text-sm font-medium">{t.more}</summary>
          <div className="mt-4 flex flex-col gap-4">
            <Field label={t.priority}>
              {(links) => (
                <Select {...links} {...form.register('priority')}>
                  {priorities.map((priority) => (
                    <option key={priority} value={priority}>
                      {t.priorities[priority]}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t.ttl} hint={t.ttlHint} error={sentence('ttl_seconds')}>
              {(links) => (
                <Input
                  {...links}
                  {...form.register('ttl_seconds', { setValueAs: numberOrNothing })}
                  inputMode="numeric"
                />
              )}
            </Field>
            <Field label={t.sendAt} error={sentence('send_at')}>
              {(links) => (
                <Input
                  {...links}
                  {...form.register('send_at', { setValueAs: instantOrNothing })}
                  type="datetime-local"
                />
              )}
            </Field>
            <Field label={t.ref} hint={t.refHint} error={sentence('client_ref')}>
              {(links) => (
                <Input {...links} {...form.register('client_ref', { setValueAs: textOrNothing })} maxLength={64} />
              )}
            </Field>
          </div>
        </details>
        <FailureNotice failure={send.error ?? errors.root} />
        <Button type="submit" look="primary" size="large" busy={send.isPending || form.formState.isSubmitting}>
          {t.send}
        </Button>
      </form>
    </Panel>
  );
}
