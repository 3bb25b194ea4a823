import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCall } from '../../http/use-call.js';
import type { Device } from '../../devices/state.js';
import { useLazySchema } from '../../form/lazy-schema.js';
import { phoneDigits } from '../../format/format.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Field } from '../../form/field.js';
import { Input, TextArea } from '../../form/input.js';
import { Panel } from '../../ui/layout/panel.js';
import { Select } from '../../form/select.js';
import { createDraftRef } from './draft-ref.js';
import { MoreFields, type SendBody, type SendFormState } from './more-fields.js';
import { sendTexts } from './texts.js';
import { TypingButton } from './typing-button.js';

export type Draft = Pick<SendBody, 'device_id' | 'phone_destination' | 'message'>;

type SendFormProps = {
  devices: readonly Device[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSent: (jobId: string) => void;
};

const loadSchema = async () => (await import('./send-schema.js')).sendSchema;

export function SendForm({ devices, draft, onChange, onSent }: SendFormProps) {
  const t = useTexts(sendTexts);
  const send = useCall('sendMessage', ['listMessages', 'readOverview']);
  const form: SendFormState = useForm({
    resolver: useLazySchema(loadSchema),
    defaultValues: { ...draft, priority: 'normal' },
  });
  const [draftRef] = useState(createDraftRef);
  const { errors } = form.formState;
  const recipient = phoneDigits(draft.phone_destination);
  const tell = () => onChange(form.getValues());
  const submit = form.handleSubmit(() => {
    const { device_id: deviceId, ...body } = form.getValues();
    // If the person sends the same draft again after a failure, it must be the same message.
    const clientRef = body.client_ref || draftRef.of({ deviceId, ...body });
    const onSuccess = ({ job_id }: { job_id: string }) => {
      draftRef.forget();
      onSent(job_id);
    };
    send.mutate({ deviceId, body: { ...body, client_ref: clientRef } }, { onSuccess });
  });
  const sentence = (name: keyof SendBody) => errors[name] && (errors[name].message ?? t.wrong);
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
        <MoreFields form={form} sentence={sentence} />
        <FailureNotice failure={send.error ?? errors.root} />
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            size="large"
            className="flex-1"
            busy={send.isPending || form.formState.isSubmitting}
          >
            {t.send}
          </Button>
          <TypingButton key={`${draft.device_id} ${recipient}`} deviceId={draft.device_id} recipient={recipient} />
        </div>
      </form>
    </Panel>
  );
}
