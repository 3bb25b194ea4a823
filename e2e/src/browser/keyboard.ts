/** Moves through a page by keyboard alone. */
import type { Page } from 'playwright-core';

const mostTabs = 60;

/** Runs in the page: what a person would call that which has the focus. */
const nameOfFocused = `(() => {
  const focused = document.activeElement;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent;
  return label ?? focused.textContent ?? '';
})()`;

/** Tab until what has the focus is called so: only what a keyboard reaches can be reached here. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < mostTabs; i++) {
    if (name.test(String(await page.evaluate(nameOfFocused)).trim())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}
