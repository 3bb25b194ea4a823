import { zodResolver } from '@hookform/resolvers/zod';
import { operationsForPeople } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Notice } from '../../ui/notice.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { toast } from '../../ui/overlays/toasts.js';
import { ProxyField } from '../proxy-field.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';

const schema = operationsForPeople.updateDevice.body;

/** The gateway sends this word instead of an address that it cannot decrypt. */
const unreadable = 'unreadable';

/** Shows the proxy of a device without its password, replaces the whole address, or removes it. */
export function DeviceProxy({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const { proxy } = device.settings;
  return (
    <Panel>
      <PanelHead title={t.proxy} note={t.proxyNote} />
      <div className="flex flex-col gap-4 px-5 pb-5">
        {proxy === unreadable && <Notice tone="bad">{t.proxyUnreadable}</Notice>}
        {proxy !== null && proxy !== unreadable && <PresentProxy proxy={proxy} />}
        <SetProxy device={device} />
        {proxy !== null && <RemoveProxy device={device} />}
      </div>
    </Panel>
  );
}

function PresentProxy({ proxy }: { proxy: string }) {
  const t = useTexts(deviceTexts);
  return (
    <p className="text-sm">
      <span className="block text-ink-soft">{t.proxyNow}</span>
      <code className="break-all">{proxy}</code>
    </p>
  );
}

function SetProxy({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const change = useCall('updateDevice', ['listDevices']);
  const form = useForm<z.input<typeof schema>, unknown, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { proxy: '' },
  });
  const saved = () => {
    form.reset();
    toast(t.proxySet);
  };
  const save = form.handleSubmit(() =>
    change.mutate({ deviceId: device.device_id, body: form.getValues() }, { onSuccess: saved }),
  );
  return (
    <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void save(event)}>
      <ProxyField
        label={device.settings.proxy === null ? t.proxyAddress : t.proxyNew}
        hint={t.proxyHint}
        isWrong={form.formState.errors.proxy !== undefined}
        field={form.register('proxy')}
      />
      <FailureNotice failure={change.error} />
      <Button type="submit" className="self-end" disabled={!form.formState.isDirty} busy={change.isPending}>
        {t.proxySave}
      </Button>
    </form>
  );
}

function RemoveProxy({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const [asking, setAsking] = useState(false);
  const change = useCall('updateDevice', ['listDevices']);
  const removed = () => {
    setAsking(false);
    toast(t.proxyRemoved);
  };
  return (
    <>
      <Button look="quiet-danger" className="-ml-3.5 self-start" onClick={() => setAsking(true)}>
        {t.proxyRemove}
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.proxyRemoveTitle(device.name)}
        action={t.proxyRemove}
        onConfirm={() => change.mutate({ deviceId: device.device_id, body: { proxy: null } }, { onSuccess: removed })}
        busy={change.isPending}
        failure={change.error}
      >
        {t.proxyRemoveNote}
      </ConfirmDialog>
    </>
  );
}
