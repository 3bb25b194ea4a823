import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Notice } from '../ui/notice.js';
import { shellTexts } from './ground/texts.js';

/** Says on every page that an operator has suspended the account, and why. */
export function SuspendedNotice() {
  const t = useTexts(shellTexts);
  const { suspended_reason: reason } = useMe().account;
  if (reason === null) return null;
  return (
    <div className="mx-auto w-full max-w-[1120px] px-4 pt-6 sm:px-8">
      <Notice tone="bad" title={t.suspended}>
        <p>{reason}</p>
        <p>{t.suspendedNote}</p>
      </Notice>
    </div>
  );
}
