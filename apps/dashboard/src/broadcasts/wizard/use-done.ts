import { parseTemplate } from '@kurir/contracts/dashboard';
import { useCheck } from '../check/use-check.js';
import { isCurrent, useFilled } from './check/use-filled.js';
import type { Draft } from './draft/draft.js';
import type { Step } from './steps.js';
import { useList } from './draft/use-list.js';

/** Which steps are done. A step can be opened after all before it. */
export function useDone(draft: Draft): Record<Step, boolean> {
  const list = useList(draft);
  const filled = useFilled(draft);
  const { check, isBusy } = useCheck(draft.created?.broadcastId ?? null);
  const { text, footer } = filled.message;
  const isChecked = check !== undefined && !isBusy && isCurrent(draft, filled, check);
  return {
    whom: list.isReady,
    message: text.trim() !== '' && parseTemplate(text, footer).ok,
    check: isChecked && check.broadcast.state === 'ready' && check.sendable > 0,
    send: false,
  };
}
