import { isSandbox } from '@kurir/contracts/dashboard';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SendHorizontal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { useCall } from '../http/use-call.js';
import { useTexts } from '../i18n/texts.js';
import { useMay } from '../session/me.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { sandboxTexts } from './texts.js';
import { rememberWritten } from './written-messages.js';

type WriteBackProps = { number: string; lastDeviceId: string | undefined };

/** The phone writes to the device that wrote last, or else to any linked device of a sandbox network. */
export function WriteBack({ number, lastDeviceId }: WriteBackProps) {
  const t = useTexts(sandboxTexts);
  const client = useQueryClient();
  const mayWrite = useMay('developer');
  const [text, setText] = useState('');
  const devices = useQuery(devicesQuery());
  const write = useCall('writeFromPhone', ['readPhone', 'listPhones']);
  const linked = (devices.data ?? []).filter((device) => isSandbox(device.network) && device.activity.linked);
  const device = linked.find(({ device_id }) => device_id === lastDeviceId) ?? linked[0];
  if (!mayWrite) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (device === undefined || text === '') return;
    write.mutate(
      { params: { number }, body: { device_id: device.device_id, text } },
      {
        onSuccess: (message) => {
          rememberWritten(client, number, message);
          setText('');
        },
      },
    );
  };
  if (devices.isSuccess && device === undefined) {
    return (
      <p className="bg-surface px-5 pt-3 pb-6 text-center text-sm text-ink-soft">
        {t.noDevice}{' '}
        <Link to="/devices" search={{ add: true }} className="font-medium text-accent hover:underline">
          {t.link}
        </Link>
      </p>
    );
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 bg-surface px-3 pt-2 pb-5">
      <FailureNotice failure={write.error} />
      <div className="flex items-center gap-2">
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label={device === undefined ? t.write : `${t.write}: ${device.name}`}
          placeholder={t.placeholder}
          maxLength={4096}
          className="h-10 min-w-0 flex-1 rounded-full border border-field bg-paper px-4 text-[16px] placeholder:text-ink-faint sm:text-sm"
        />
        <button
          type="submit"
          aria-label={t.sendButton}
          disabled={text === '' || write.isPending}
          className="grid size-10 shrink-0 place-items-center rounded-full bg-accent text-on-accent disabled:opacity-50"
        >
          <SendHorizontal aria-hidden className="size-4.5" />
        </button>
      </div>
    </form>
  );
}
