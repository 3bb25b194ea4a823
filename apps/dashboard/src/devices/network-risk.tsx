import { clsx } from 'clsx';
import { useTexts } from '../i18n/texts.js';
import { Notice } from '../ui/notice.js';
import { deviceTexts } from './texts.js';

type NetworkRiskProps = { isAccepted: boolean; isMissing: boolean; onChange: (isAccepted: boolean) => void };

/** Says what an unofficial client risks. Nobody links a real number without having read it. */
export function NetworkRisk({ isAccepted, isMissing, onChange }: NetworkRiskProps) {
  const t = useTexts(deviceTexts);
  return (
    <div className="flex flex-col gap-2">
      <Notice tone="warn" title={t.riskTitle}>
        {t.risk}
      </Notice>
      <label className="flex items-start gap-2.5 text-sm">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent"
          checked={isAccepted}
          aria-invalid={isMissing}
          onChange={(event) => onChange(event.target.checked)}
        />
        {t.acceptRisk}
      </label>
      <p role={isMissing ? 'alert' : undefined} className={clsx('text-xs text-bad', !isMissing && 'hidden')}>
        {t.riskNotAccepted}
      </p>
    </div>
  );
}
