/** Moves through a page with the keyboard alone. */
import { waitUntil } from '@kurir/testing';
import type { Page } from 'playwright-core';

const mostTabs = 60;

/** Runs in the page: returns the name that a person would give the focused element. */
const nameOfFocused = `(() => {
  const focused = document.activeElement;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent;
  return label ?? focused.textContent ?? '';
})()`;

/**
 * Presses Tab until the focused element has this name. So it reaches only elements that a keyboard can reach. A page that is still
 * loading has fewer of them, so the round begins anew for a while.
 */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  await waitUntil(
    async () => {
      for (let i = 0; i < mostTabs; i++) {
        if (name.test(String(await page.evaluate(nameOfFocused)).trim())) return true;
        await page.keyboard.press('Tab');
      }
      return false;
    },
    { what: `Tab reaches ${name}` },
  );
}
