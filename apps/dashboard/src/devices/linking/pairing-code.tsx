import { isSandbox } from '@kurir/contracts/dashboard';
import { ScanLine } from 'lucide-react';
import { useCall } from '../../http/use-call.js';
import { formatSpan } from '../../format/format.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { useNow } from '../../ui/moment.js';
import { QrCode } from '../../ui/qr-code.js';
import { Skeleton } from '../../ui/layout/skeleton.js';
import type { Device } from '../state.js';
import { deviceTexts } from '../texts.js';
import { simulatedTexts } from './simulated-texts.js';

type Pairing = NonNullable<Device['pairing']>;

/** Shows the current code, how long it is valid, and how to use it. The code renews itself until the phone uses it. */
export function PairingCode({ device }: { device: Device }) {
  const t = useTexts(deviceTexts);
  const s = useTexts(simulatedTexts);
  const isTyped = device.activity.pairing_method === 'pairing_code';
  const cancel = useCall('cancelLink', ['listDevices']);
  const scan = useCall('pretendScan', ['listDevices', 'readOverview']);
  const deviceId = device.device_id;
  const isPretend = isSandbox(device.network);
  const steps = isPretend ? { qr: s.steps, code: s.codeSteps } : { qr: t.scanSteps, code: t.codeSteps };
  return (
    <div className="flex flex-col gap-6 sm:flex-row">
      <div className="w-full max-w-60 shrink-0 self-center sm:self-start">
        <ShownCode pairing={device.pairing} isTyped={isTyped} />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <ol className="flex flex-col gap-2.5 text-sm">
          {(isTyped ? steps.code : steps.qr).split('|').map((step, i) => (
            <li key={step} className="flex gap-3">
              <span
                aria-hidden
                className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
              >
                {i + 1}
              </span>
              {step}
            </li>
          ))}
        </ol>
        <FailureNotice failure={scan.error ?? cancel.error} />
        <div className="mt-auto flex flex-wrap items-center gap-2">
          {isPretend && (
            <Button
              look="primary"
              busy={scan.isPending}
              disabled={device.pairing === null}
              onClick={() => scan.mutate({ params: { device_id: deviceId } })}
            >
              <ScanLine aria-hidden className="size-4" />
              {isTyped ? s.type : t.pretend}
            </Button>
          )}
          <Button look="quiet" busy={cancel.isPending} onClick={() => cancel.mutate({ deviceId })}>
            {t.cancelLink}
          </Button>
        </div>
      </div>
    </div>
  );
}

function ShownCode({ pairing, isTyped }: { pairing: Pairing | null; isTyped: boolean }) {
  const t = useTexts(deviceTexts);
  if (pairing === null) {
    return (
      <div className="flex flex-col gap-2">
        <Skeleton className="aspect-square" />
        <p className="text-center text-xs text-ink-faint">{t.preparing}</p>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      {isTyped ? (
        <p className="rounded-md border border-line-strong bg-sunken py-7 text-center font-mono text-2xl font-semibold tracking-[0.14em] select-all">
          {pairing.code}
        </p>
      ) : (
        <QrCode text={pairing.code} label={t.qrLabel} />
      )}
      <TimeLeft validUntil={pairing.valid_until} isTyped={isTyped} />
    </div>
  );
}

/** A QR code renews itself. A code that is typed expires. */
function TimeLeft({ validUntil, isTyped }: { validUntil: string; isTyped: boolean }) {
  const t = useTexts(deviceTexts);
  const leftMs = Date.parse(validUntil) - useNow(1_000);
  const left = formatSpan(Math.ceil(leftMs / 1_000) * 1_000);
  const [counting, over] = isTyped ? [t.counts(left), t.over] : [t.renews(left), t.renewing];
  return <p className="text-center text-xs text-ink-faint tabular">{leftMs > 0 ? counting : over}</p>;
}
