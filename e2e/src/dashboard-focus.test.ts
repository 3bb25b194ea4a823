/** The keyboard's place: a dialog that closes gives it back. A phone starts with the way of linking that it can use. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { narrow } from './browser/inspect-page.js';
import { tabTo } from './browser/keyboard.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const focused = 'document.activeElement.textContent';

describe.skipIf(chromiumPath === null)(`the focus (skipped: ${whyNoBrowser})`, () => {
  test.each([
    ['the list of shortcuts', '?'],
    ['the palette', 'Control+k'],
  ])('returns from %s to the element before', async (_, keys) => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Tombol', `tombol-${keys.length}@toko.example`);
    await tabTo(page, /^Members$/);
    await page.keyboard.press(keys);
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate(focused)).not.toBe('Members');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(focused)).toBe('Members');
    await context.close();
  });

  test('returns from a question to the button that asked it', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Tanya', 'tanya@toko.example');
    await page.goto('/app/keys');
    await tabTo(page, /^Create a key$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate(focused)).toBe('Create a key');
    await context.close();
  });

  test('a phone links by a code first, and a desk by a QR code', async () => {
    for (const [width, first] of [
      [narrow, 'Type a code'],
      [1280, 'Scan a QR code'],
    ] as const) {
      const { page, context } = await openPerson(browser, stack.baseUrl, { width });
      await signUp(page, 'Toko Tautan', `tautan-${width}@toko.example`);
      const deviceId = await linkDevice(page, 'Kasir');
      await page.getByRole('button', { name: 'Unlink' }).first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
      await page.getByRole('tab').first().waitFor();
      expect(page.url()).toContain(deviceId);
      expect(await page.getByRole('tab', { selected: true }).innerText()).toBe(first);
      await context.close();
    }
  });
});
