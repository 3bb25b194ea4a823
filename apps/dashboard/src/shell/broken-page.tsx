import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useTexts } from '../i18n/texts.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { shellTexts } from './ground/texts.js';

/** Replaces a page that threw an error. The rest of the dashboard still works. */
export function BrokenPage({ error }: ErrorComponentProps) {
  const t = useTexts(shellTexts);
  const router = useRouter();
  return (
    <div data-page className="mx-auto flex max-w-xl flex-col gap-4 px-6 py-16">
      <h1 className="text-xl font-semibold">{t.broken}</h1>
      <FailureNotice failure={error} onRetry={() => router.invalidate()} />
    </div>
  );
}
