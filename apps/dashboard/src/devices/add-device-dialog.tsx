import { zodResolver } from '@hookform/resolvers/zod';
import {
  operationsForPeople,
  defaultNetwork,
  defaultSandbox,
  isSandbox,
  networkNames,
  networks,
} from '@kurir/contracts/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { useState } from 'react';
import { useForm, type UseFormRegisterReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/overlays/dialog.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { isPhone } from './is-phone.js';
import { NetworkMark } from './network-mark.js';
import { NetworkRisk } from './network-risk.js';
import { ProxyField } from './proxy-field.js';
import { deviceTexts } from './texts.js';

type Body = z.input<typeof operationsForPeople.createDevice.body>;

const sandboxFirst = [...networkNames].sort((a, b) => Number(isSandbox(b)) - Number(isSandbox(a)));

export function AddDeviceDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts(deviceTexts);
  return (
    <Dialog open={open} onClose={onClose} title={t.add} note={t.emptyNote}>
      <AddDeviceForm />
    </Dialog>
  );
}

function NetworkChoice({ field }: { field: UseFormRegisterReturn }) {
  const t = useTexts(deviceTexts);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t.network}</legend>
      {sandboxFirst.map((network) => (
        <label
          key={network}
          className={clsx(
            'flex cursor-pointer items-center gap-3 rounded-md border border-line-strong p-3 hover:border-field',
            'has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          )}
        >
          <input type="radio" value={network} {...field} className="sr-only" />
          <NetworkMark network={network} />
          <span className="text-sm">
            <span className="block font-medium">{t[network]}</span>
            <span className="block text-ink-soft">{t[`${network}Note`]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Creates the device and opens its page, which shows the QR code. On a phone, its page asks for the number instead. */
function AddDeviceForm() {
  const t = useTexts(deviceTexts);
  const { sandbox } = useMe();
  const navigate = useNavigate();
  const form = useForm<Body, unknown, z.output<typeof operationsForPeople.createDevice.body>>({
    resolver: zodResolver(operationsForPeople.createDevice.body),
    defaultValues: { name: '', network: sandbox ? defaultSandbox : defaultNetwork },
  });
  const network = useWatch({ control: form.control, name: 'network' });
  const create = useCall('createDevice', ['listDevices', 'readOverview']);
  const link = useCall('linkDevice', ['listDevices']);
  const isReal = !isSandbox(network ?? defaultNetwork);
  const [isAccepted, setAccepted] = useState(false);
  const mayCreate = isAccepted || !isReal;
  const submit = form.handleSubmit(async () => {
    if (!mayCreate) return;
    const { device_id } = await create.mutateAsync({ body: form.getValues() });
    // The device exists even if linking fails to start. Its page offers to link it again.
    if (!isReal || !isPhone())
      await link.mutateAsync({ deviceId: device_id, body: { method: 'qr' } }).catch(() => undefined);
    await navigate({ to: '/devices/$deviceId', params: { deviceId: device_id } });
  });
  const nameError = form.formState.errors.name && t.required;
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event).catch(() => undefined)}>
      <Field label={t.name} hint={t.nameHint} error={nameError}>
        {(links) => (
          <Input {...links} {...form.register('name')} placeholder={t.namePlaceholder} autoFocus maxLength={64} />
        )}
      </Field>
      {sandbox && <NetworkChoice field={form.register('network')} />}
      {networks[network ?? defaultNetwork].hasProxies && (
        <ProxyField
          label={t.proxy}
          hint={t.proxyFirstHint}
          optional={t.optional}
          isWrong={form.formState.errors.proxy !== undefined}
          // A hidden field is unregistered: nobody would see why its value stops the form.
          field={form.register('proxy', { shouldUnregister: true, setValueAs: (text: string) => text || undefined })}
        />
      )}
      {isReal && (
        <NetworkRisk
          isAccepted={isAccepted}
          isMissing={form.formState.isSubmitted && !isAccepted}
          onChange={setAccepted}
        />
      )}
      <FailureNotice failure={create.error} />
      <Button type="submit" look="primary" size="large" busy={create.isPending || link.isPending}>
        {t.create}
      </Button>
    </form>
  );
}
