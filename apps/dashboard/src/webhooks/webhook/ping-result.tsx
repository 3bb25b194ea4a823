import { useTexts } from '../../i18n/texts.js';
import { FailureNotice } from '../../ui/failure-notice.js';
import { Notice } from '../../ui/notice.js';
import { Spinner } from '../../ui/spinner.js';
import { sentenceOf } from './sentence-of.js';
import { deliveryTexts } from './texts.js';
import type { usePing } from './use-ping.js';

/** The result of a test, as soon as it is there. */
export function PingResult({ attempt, failure, isLate, isSent }: ReturnType<typeof usePing>) {
  const t = useTexts(deliveryTexts);
  if (failure !== null) return <FailureNotice failure={failure} />;
  if (!isSent) return null;
  if (attempt === undefined)
    return (
      <Notice live action={isLate ? undefined : <Spinner />}>
        {isLate ? t.pingLate : t.pinging}
      </Notice>
    );
  if (attempt.outcome === 'delivered')
    return (
      <Notice live tone="ok">
        {t.pingTaken(attempt.status ?? 0, attempt.duration_ms)}
      </Notice>
    );
  return (
    <Notice live tone="bad" title={t.pingFailed}>
      {attempt.status !== null && <span className="block">{t.status(attempt.status)}</span>}
      {sentenceOf(attempt, t)}
    </Notice>
  );
}
