import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { devicesQuery } from '../../devices/device-queries.js';
import { isContested } from '../../devices/state.js';
import { StateBadge } from '../../devices/state-badge.js';
import { formatPhone } from '../../format/phone.js';
import { defineTexts, useTexts } from '../../i18n/texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { SkeletonLines } from '../../ui/layout/skeleton.js';
import { Notice } from '../../ui/notice.js';

const texts = defineTexts(
  {
    devices: 'Devices that send it',
    hint: 'Each person gets it from one device. A person who knows a device stays with that one.',
    none: 'You have no device yet. Add one first: it is the phone number that sends.',
    add: 'Add a device',
    one: 'Choose at least one device.',
  },
  {
    devices: 'Perangkat yang mengirim',
    hint: 'Tiap orang menerima dari satu perangkat. Yang sudah kenal satu perangkat tetap dengan perangkat itu.',
    none: 'Belum ada perangkat. Tambah dulu: dari nomor itulah pesannya dikirim.',
    add: 'Tambah perangkat',
    one: 'Pilih paling sedikit satu perangkat.',
  },
);

type DeviceChoiceProps = { chosen: readonly string[]; onChange: (chosen: readonly string[]) => void };

export function DeviceChoice({ chosen, onChange }: DeviceChoiceProps) {
  const t = useTexts(texts);
  const { data: devices, error, refetch } = useQuery(devicesQuery());
  const toggle = (id: string) => onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1.5 text-sm font-medium">{t.devices}</legend>
      <FailureNotice failure={error} onRetry={refetch} />
      {devices === undefined && error === null && <SkeletonLines count={2} />}
      {devices?.length === 0 && (
        <Notice
          tone="warn"
          action={
            <Link to="/devices" search={{ add: true }} className="py-2.5 font-medium text-accent underline">
              {t.add}
            </Link>
          }
        >
          {t.none}
        </Notice>
      )}
      {devices?.map((device) => (
        <label
          key={device.device_id}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3.5 py-2 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-accent"
            checked={chosen.includes(device.device_id)}
            onChange={() => toggle(device.device_id)}
          />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium">{device.name}</span>
            {device.phone_number !== null && (
              <span className="block truncate text-xs text-ink-soft tabular">{formatPhone(device.phone_number)}</span>
            )}
          </span>
          <StateBadge state={device.state} stopped={isContested(device)} />
        </label>
      ))}
      {devices !== undefined && devices.length > 0 && (
        <p className={chosen.length === 0 ? 'text-xs text-bad' : 'text-xs text-ink-faint'}>
          {chosen.length === 0 ? t.one : t.hint}
        </p>
      )}
    </fieldset>
  );
}
