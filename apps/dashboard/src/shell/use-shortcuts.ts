/**
 * The keys of the shell: `g` and a letter opens a page, `⌘K` or `Ctrl K` the palette, `?` the list of shortcuts.
 * `/` moves the focus to the search field.
 */
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Destination } from './ground/destinations.js';
import { openShell } from './ground/shell-state.js';

const secondKeyWithinMs = 1_200;

/** Whether the key belongs to a field or a menu, or something else has handled it: a shortcut must ignore it. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.defaultPrevented ||
    (target instanceof HTMLElement &&
      target.closest('input, textarea, select, [contenteditable], [role="menu"]') !== null)
  );
}

export function useShortcuts(destinations: readonly Destination[]): void {
  const navigate = useNavigate();
  useEffect(() => {
    let gPressedAt = Number.NEGATIVE_INFINITY;
    function onKey(event: KeyboardEvent): void {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        openShell('palette');
        return;
      }
      if (
        event.metaKey ||
        event.ctrlKey ||
        event.altKey ||
        isTyping(event) ||
        document.querySelector('[role="dialog"], [role="alertdialog"]')
      )
        return;
      const isSecond = event.timeStamp - gPressedAt < secondKeyWithinMs;
      gPressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const destination = isSecond ? destinations.find(({ key }) => key === event.key) : undefined;
      if (destination !== undefined) void navigate({ to: destination.to });
      else if (event.key === '?') openShell('shortcuts');
      else if (event.key === '/') focusSearch(event);
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [destinations, navigate]);
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
}
