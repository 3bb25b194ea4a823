import { countCodePoints, limits } from '@kurir/contracts/dashboard';
import { useCallback, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useCall } from '../../http/use-call.js';
import type { Device } from '../../devices/state.js';
import { useFieldSentence } from '../../form/field-sentence.js';
import { useLazySchema } from '../../form/lazy-schema.js';
import { formatCount } from '../../format/format.js';
import { useMe } from '../../session/me.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../form/field.js';
import { Input, TextArea } from '../../form/input.js';
import { Panel } from '../../ui/layout/panel.js';
import { Select } from '../../form/select.js';
import { createDraftRef } from './draft-ref.js';
import { MoreFields, type SendBody, type SendFormState } from './more-fields.js';
import type { MoreOfMessage } from './short-samples.js';
import { SendFailure } from './send-failure.js';
import { sendTexts } from './texts.js';
import { TypingButton } from './typing-button.js';

export type Draft = Pick<SendBody, 'device_id' | 'phone_destination' | 'message'> & MoreOfMessage;

type SendFormProps = {
  devices: readonly Device[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  onSent: (jobId: string) => void;
};

export function SendForm({ devices, draft, onChange, onSent }: SendFormProps) {
  const t = useTexts(sendTexts);
  const { country } = useMe().account;
  const send = useCall('sendMessage', ['listMessages', 'readOverview']);
  const loadSchema = useCallback(async () => (await import('./send-schema.js')).sendSchemaFor(country), [country]);
  const form: SendFormState = useForm({
    resolver: useLazySchema(loadSchema),
    defaultValues: { priority: 'normal', ...draft },
  });
  const [draftRef] = useState(createDraftRef);
  const { errors } = form.formState;
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
  const sentenceOf = useFieldSentence();
  const sentence = (name: keyof SendBody) => sentenceOf(errors[name]);
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
          {(links) => <Input {...links} {...form.register('phone_destination')} inputMode="tel" />}
        </Field>
        <MessageField form={form} text={draft.message} error={sentence('message')} />
        <MoreFields form={form} sentence={sentence} />
        <SendFailure failure={send.error ?? errors.root} recipient={draft.phone_destination} />
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
          <TypingButton
            key={`${draft.device_id} ${draft.phone_destination}`}
            deviceId={draft.device_id}
            recipient={draft.phone_destination}
          />
        </div>
      </form>
    </Panel>
  );
}

type MessageFieldProps = { form: SendFormState; text: string; error: string | undefined };

function MessageField({ form, text, error }: MessageFieldProps) {
  const t = useTexts(sendTexts);
  const language = useLanguage();
  const count = formatCount(countCodePoints(text), language);
  const hint = t.characters(count, formatCount(limits.messageMaxCodePoints, language));
  return (
    <Field label={t.message} hint={hint} error={error}>
      {(links) => <TextArea {...links} {...form.register('message')} rows={4} placeholder={t.example} />}
    </Field>
  );
}
