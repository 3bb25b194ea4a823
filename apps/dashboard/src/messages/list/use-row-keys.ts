/** `j` and `k` move the focus down and up in a list of buttons. */
import { type RefObject, useEffect } from 'react';
import { isTyping } from '../../shell/use-shortcuts.js';

export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (
        isTyping(event) ||
        event.metaKey ||
        event.ctrlKey ||
        event.altKey ||
        document.querySelector('[role="dialog"], [role="alertdialog"]')
      )
        return;
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || list.current === null) return;
      const rows = [...list.current.querySelectorAll('button')];
      const at = rows.findIndex((row) => row === document.activeElement);
      const next = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [list]);
}
