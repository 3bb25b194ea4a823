import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Line } from './chat-lines.js';

/** Nearer to the end than this, the person reads the newest messages. */
const nearPx = 96;

/**
 * Keeps the newest message in view while the person is at the end of the chat. Elsewhere, what is in view stays there,
 * also when earlier messages are loaded above it.
 */
export function useEndOfChat(lines: readonly Line[]): { box: RefObject<HTMLDivElement | null>; onScroll(): void } {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const before = useRef<{ height: number; first: string | undefined; last: string | undefined }>({
    height: 0,
    first: undefined,
    last: undefined,
  });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { height, first, last } = before.current;
    const [newFirst, newLast] = [lines[1]?.key, lines.at(-1)];
    const hasSent = newLast?.kind === 'pending' && newLast.key !== last;
    if (isAtEnd.current || hasSent) element.scrollTo({ top: element.scrollHeight });
    else if (newFirst !== first) element.scrollBy({ top: element.scrollHeight - height });
    before.current = { height: element.scrollHeight, first: newFirst, last: newLast?.key };
  }, [lines]);
  return {
    box,
    onScroll() {
      const element = box.current;
      if (element === null) return;
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    },
  };
}
