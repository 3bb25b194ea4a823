import { ApiFailure } from '../http/api-failure.js';
import { defineTexts, useTexts } from '../i18n/texts.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

const texts = defineTexts(
  { again: 'Try again', unexpected: 'Something on this page broke. Reload it.', request: 'Request' },
  { again: 'Coba lagi', unexpected: 'Ada yang rusak di halaman ini. Muat ulang.', request: 'Permintaan' },
);

type FailureNoticeProps = { failure: unknown; onRetry?: () => unknown };

/** Shows the gateway's own sentence and the id of the request, which finds it in the gateway's logs. */
export function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
  const t = useTexts(texts);
  if (failure === null || failure === undefined) return null;
  const known = failure instanceof ApiFailure ? failure : null;
  return (
    <Notice
      tone="bad"
      live
      action={
        onRetry && (
          <Button size="small" onClick={() => void onRetry()}>
            {t.again}
          </Button>
        )
      }
    >
      {known?.message ?? t.unexpected}
      {known?.requestId && (
        <span className="block text-xs text-ink-soft">
          {t.request} <code>{known.requestId}</code>
        </span>
      )}
    </Notice>
  );
}
