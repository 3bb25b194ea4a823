/** The page for sending and the handset in a real browser: samples that run, the result, and many phones. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@kurir/client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, whyNoBrowser } from './browser/browser.js';
import { createKey, linkDevice, signUp } from './browser/dashboard-person.js';
import { newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
const here = fileURLToPath(new URL('.', import.meta.url));
const run = promisify(execFile);

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const focusedText = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""');
const shownCode = (page: Page, label: string) =>
  page.getByRole('tabpanel').locator(`pre[aria-label="${label}"]`).innerText();

describe.skipIf(chromiumPath === null)(`sending in a browser (skipped: ${whyNoBrowser})`, () => {
  test('nothing is sent by one click, the text is counted, and the result gets the focus', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl, { width: 390 });
    await signUp(page, 'Toko Kirim', 'kirim@toko.example');
    await linkDevice(page, 'Kasir');
    await page.goto('/app/send');
    const text = page.getByLabel('Message', { exact: true });
    await text.waitFor();
    expect(await text.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await text.fill('Halo 👋');
    await page.getByText('6 of 4,096 characters').waitFor();
    await page.getByText('Priority, category, time, own reference').click();
    await page.getByLabel('To', { exact: true }).fill('0812 3456 7890');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const heading = page.getByRole('heading', { name: 'Delivery status' });
    await heading.waitFor();
    expect(await focusedText(page)).toBe('Delivery status');
    const top = (await heading.boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThan(56);
    expect(top).toBeLessThan(844);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('the first samples are the client and the command, and they send', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Kode', 'kode@toko.example');
    const deviceId = await linkDevice(page, 'Kasir');
    const key = await createKey(page, 'Program');
    // Without reloading: the page knows the fresh secret.
    await page.getByRole('link', { name: 'Send a message' }).first().click();
    await page.getByRole('tab', { name: '@kurir/client' }).waitFor();
    const tabs = await page.getByRole('tab').allInnerTexts();
    expect([tabs[0], tabs[1], tabs.at(-1)]).toEqual(['@kurir/client', 'kurir', 'curl']);
    await page.getByText('The secret of the key you just made is filled in').waitFor();
    await page.getByRole('tabpanel').locator('pre').filter({ hasText: deviceId }).first().waitFor();
    const code = await shownCode(page, 'The program');
    const env = {
      ...process.env,
      KURIR_BASE_URL: stack.baseUrl,
      KURIR_API_KEY: key.apiKey,
      KURIR_API_SECRET: key.apiSecret,
      KURIR_DEVICE_ID: deviceId,
    };
    const program = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: here, env });
    expect(program.stdout).toMatch(/status: '(sent|delivered|read)'/);
    await page.getByText('Priority, category, time, own reference').click();
    await page.getByLabel('Your reference').fill('login-1');
    expect(await shownCode(page, 'The program')).toContain('clientRef: "login-1"');
    await page.getByLabel('Your reference').fill('');
    await page.getByRole('tab', { name: 'kurir', exact: true }).click();
    expect(await shownCode(page, 'Run it')).toMatch(/^npx kurir send 6281234567890 '.*' --wait$/);
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe.skipIf(chromiumPath === null)(`the handset in a browser (skipped: ${whyNoBrowser})`, () => {
  test('it opens a phone on which something arrived, and finds one among many', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Ramai', 'ramai@toko.example');
    const deviceId = await linkDevice(page, 'Kasir');
    const client = createClient({ baseUrl: stack.baseUrl, deviceId, ...(await createKey(page, 'Program')) });
    const numbers = Array.from({ length: 24 }, () => newPhoneNumber());
    const messages = numbers.map((phoneDestination, i) => ({ phoneDestination, message: `Halo ${i}` }));
    await client.sendBulk({ messages });
    const nobody = await client.sendMessage({ phoneDestination: '628999910000', message: 'Tidak ada' });
    await client.waitForJob(nobody.jobId, { until: 'delivered' });

    await page.goto('/app/handset');
    const screen = page.getByRole('log');
    await screen.getByText(/^Halo/).waitFor();
    const list = page.locator('main ul').filter({ has: page.locator('a[href*="number="]') });
    await list.getByText(/^Halo/).first().waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    const first = numbers[0] ?? '';
    await list.locator(`a[href*="number=${first}"]`).waitFor();
    // The address has digits without quotes.
    await page.getByLabel('Find a phone, or open any number').fill(`0${first.slice(2, 10)}`);
    await list.locator(`a[href*="number=${first}"]`).click();
    await page.waitForURL(new RegExp(`number=${first}$`));
    await screen.getByText('Halo 0').waitFor();

    await page.goto(`/app/devices/${deviceId}`);
    const contacts = page.locator('dl > div').filter({ hasText: 'New contacts' });
    await contacts.getByText(/^2[45]$/).waitFor();
    await page.goto('/app/devices/dev_01aaaaaaaaaaaaaaaaaaaaaaaa');
    await page.getByRole('heading', { name: 'This device is gone' }).waitFor();
    await page.goto('/app/nothing-here');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
