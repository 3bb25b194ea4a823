/** The bell in a real browser: live, by keyboard, in both languages and both widths, and what a person switches off. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, password, signUp } from './browser/dashboard-person.js';
import { inspectBoth, narrow } from './browser/inspect-page.js';
import { openMail } from './browser/mailbox.js';
import { tabTo } from './browser/keyboard.js';
import { type Stack, startStack } from './stack/stack.js';

const email = 'lonceng@toko.example';

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

describe.skipIf(chromiumPath === null)(`notices (skipped: ${whyNoBrowser})`, () => {
  test('a notice appears in the bell by itself, is opened and read by keyboard, and lies in the mailbox', async () => {
    const person = await openPerson(browser, stack.baseUrl);
    const { page, context } = person;
    await signUp(page, 'Toko Lonceng', email);
    await linkDevice(page, 'Kasir');
    const bell = page.getByRole('button', { name: 'Notices, 1 unread' }).filter({ visible: true });
    await bell.waitFor();
    await inspectBoth(person, 'bell-unread');
    await tabTo(page, /^Notices, 1 unread$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Notices' });
    await dialog.getByText('Kasir: linked with a number').waitFor();
    await inspectBoth(person, 'bell-open');
    await tabTo(page, /^Mark all as read$/);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Notices', exact: true }).filter({ visible: true }).waitFor();
    await openMail(page, 'A number was linked on Kurir');
    await context.close();
  });

  test('a kind that is switched off stays off, on a phone in Indonesian', async () => {
    const person = await openPerson(browser, stack.baseUrl, { width: narrow, locale: 'id-ID', scheme: 'dark' });
    const { page, context } = person;
    await page.goto('/app/sign-in');
    await page.locator('input[type=email]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Pemberitahuan' }).filter({ visible: true }).click();
    await page.getByRole('link', { name: 'Semua pemberitahuan' }).click();
    const mail = page.getByRole('switch', { name: 'Kuota habis: Email' });
    await mail.click();
    await expect.poll(() => mail.getAttribute('aria-checked')).toBe('false');
    expect(await page.getByRole('switch', { name: 'Perangkat tertaut dengan sebuah nomor: Email' }).isDisabled()).toBe(
      true,
    );
    await inspectBoth(person, 'notices-id');
    await page.reload();
    await mail.waitFor();
    expect(await mail.getAttribute('aria-checked')).toBe('false');
    expect(await page.getByRole('switch', { name: 'Kuota habis: Lonceng' }).getAttribute('aria-checked')).toBe('true');
    await context.close();
  });
});
