import { isSandbox } from '@kurir/contracts/dashboard';
import { useState } from 'react';
import { useCall } from '../../http/use-call.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Field } from '../../form/field.js';
import { Input } from '../../form/input.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { Tabs } from '../../ui/layout/tabs.js';
import { isPhone } from '../is-phone.js';
import { PairingCode } from './pairing-code.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';
import { simulatedTexts } from './simulated-texts.js';

/** Links a phone to the device. Asks for the method, then shows the code until the phone has used it. */
export function LinkPanel({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const s = useTexts(simulatedTexts);
  return (
    <Panel>
      <PanelHead title={t.link} note={isSandbox(device.network) ? s.linkNote : t.linkNote} />
      <div className="px-5 pb-5">
        {device.state === 'pairing' ? <PairingCode device={device} /> : <ChooseMethod device={device} />}
      </div>
    </Panel>
  );
}

function ChooseMethod({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const [number, setNumber] = useState('');
  const link = useCall('linkDevice', ['listDevices']);
  const deviceId = device.device_id;
  const byQr = (
    <Button
      look="primary"
      size="large"
      busy={link.isPending}
      onClick={() => link.mutate({ deviceId, body: { method: 'qr' } })}
    >
      {t.start}
    </Button>
  );
  const byCode = (
    <form
      className="flex max-w-sm flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        link.mutate({ deviceId, body: { method: 'pairing_code', phone_number: number } });
      }}
    >
      <Field label={t.phone} hint={t.phoneHint}>
        {(links) => (
          <Input
            {...links}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
            inputMode="tel"
            autoComplete="tel"
            placeholder="+62 812 3456 7890"
            required
          />
        )}
      </Field>
      <Button type="submit" look="primary" busy={link.isPending} className="self-start">
        {t.startCode}
      </Button>
    </form>
  );
  const qr = { value: 'qr', label: t.byQr, content: byQr } as const;
  const code = { value: 'code', label: t.byCode, content: byCode } as const;
  return (
    <div className="flex flex-col gap-4">
      <Tabs label={t.link} tabs={isPhone() ? [code, qr] : [qr, code]} />
      <FailureNotice failure={link.error} />
    </div>
  );
}
