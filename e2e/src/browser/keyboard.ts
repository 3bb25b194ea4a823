/** Moves through a page with the keyboard alone. */
import type { Page } from 'playwright-core';

const mostTabs = 60;

/** Runs in the page: returns the name that a person would give the focused element. */
const nameOfFocused = `(() => {
  const focused = document.activeElement;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent;
  return label ?? focused.textContent ?? '';
})()`;

/** Presses Tab until the focused element has this name. So it reaches only elements that a keyboard can reach. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < mostTabs; i++) {
    if (name.test(String(await page.evaluate(nameOfFocused)).trim())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}
