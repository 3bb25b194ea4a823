import { isNetwork } from '@kurir/contracts/dashboard';
import type { ReactNode } from 'react';
import { formatCount, shortenId } from '../../format/format.js';
import { formatPhone } from '../../format/phone.js';
import { useLanguage } from '../../i18n/language.js';
import { useTexts } from '../../i18n/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Moment } from '../../ui/moment.js';
import { Panel, PanelHead } from '../../ui/layout/panel.js';
import { backlogOf, type Device } from '../state.js';
import { deviceTexts } from '../texts.js';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 border-t border-line px-5 py-2.5 text-sm">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 text-right tabular">{children}</dd>
    </div>
  );
}

export function DeviceFacts({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const language = useLanguage();
  const { activity } = device;
  return (
    <Panel>
      <PanelHead title={t.facts} />
      <dl>
        <Fact name={t.number}>{device.phone_number === null ? '–' : formatPhone(device.phone_number)}</Fact>
        <Fact name={t.network}>{isNetwork(device.network) ? t[device.network] : device.network}</Fact>
        <Fact name={t.lastSeen}>
          {device.state === 'connected' ? (
            t.now
          ) : activity.last_connected_at === null ? (
            t.never
          ) : (
            <Moment at={activity.last_connected_at} />
          )}
        </Fact>
        <Fact name={t.since}>
          <Moment at={activity.state_since} />
        </Fact>
        <Fact name={t.backlog}>{formatCount(backlogOf(activity), language)}</Fact>
        {(['otp', 'normal', 'bulk'] as const).map((priority) =>
          activity.backlog[priority] === 0 ? null : (
            <Fact key={priority} name={`· ${t[priority]}`}>
              {formatCount(activity.backlog[priority], language)}
            </Fact>
          ),
        )}
        {activity.backlog.scheduled > 0 && (
          <Fact name={`· ${t.scheduled}`}>{formatCount(activity.backlog.scheduled, language)}</Fact>
        )}
        <Fact name={t.created}>
          <Moment at={device.created_at} />
        </Fact>
        <Fact name={t.deviceId}>
          <span className="flex items-center gap-1">
            <code title={device.device_id}>{shortenId(device.device_id)}</code>
            <CopyButton text={device.device_id} iconOnly className="-my-1.5 -mr-2" />
          </span>
        </Fact>
      </dl>
    </Panel>
  );
}
