import { useState } from 'react';

/**
 * Gives the focus back to the element that had it before a dialog opened, as Radix does only for its own triggers. If
 * that element is gone, the heading of the page gets it.
 */
export function useFocusReturn(isOpen: boolean) {
  const [wasOpen, setWasOpen] = useState(false);
  const [before, setBefore] = useState<Element | null>(null);
  // An effect would come too late: a field of the dialog may take the focus as soon as it exists.
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    if (isOpen) setBefore(document.activeElement);
  }
  const onCloseAutoFocus = (event: Event) => {
    event.preventDefault();
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    const target = isThere ? before : document.querySelector<HTMLElement>('main h1');
    target?.focus({ preventScroll: true });
  };
  return { onCloseAutoFocus };
}
