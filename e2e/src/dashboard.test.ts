/** The dashboard as people meet it: a real browser, the real programs, nothing in between. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser.js';
import { linkDevice, sendTest, signUp } from './dashboard-person.js';
import { newPhoneNumber } from './phone.js';
import { runAdmin } from './customer.js';
import { type Stack, startStack } from './stack.js';

let stack: Stack;
let browser: Browser;
const people: Person[] = [];

async function person(): Promise<Person> {
  const opened = await openPerson(browser, stack.baseUrl);
  people.push(opened);
  return opened;
}

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  const terms = ['--days', '30', '--price', '50000', '--quota', '1000'];
  await runAdmin(stack.env, ['plan', 'create', 'Usaha', ...terms]);
});
afterEach(async () => {
  const errors = people.flatMap((one) => one.errors);
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  if (errors.length > 0) throw new Error(`a page reported: ${errors.join('; ')}`);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe.skipIf(chromiumPath === null)(`in a browser (skipped: ${whyNoBrowser})`, () => {
  test('somebody new links a device by its QR, sends, and sees it arrive, without reloading', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Ayu', 'ayu@toko.example');
    await linkDevice(page, 'Toko');
    const phone = newPhoneNumber();
    await sendTest(page, phone, 'Pesanan Anda diantar');
    await page.getByText('Delivered', { exact: true }).first().waitFor();

    await page.getByRole('link', { name: 'See it on the handset' }).click();
    const screen = page.getByRole('log');
    await screen.getByText('Pesanan Anda diantar').waitFor();
    await page.getByLabel(/^Write back/).fill('Terima kasih');
    await page.getByRole('button', { name: 'Send from the phone' }).click();
    await screen.getByText('Terima kasih').waitFor();

    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    await page.getByRole('list', { name: 'Messages' }).getByRole('button').first().click();
    const timeline = page.getByRole('dialog').getByRole('list');
    for (const step of ['Accepted', 'Sending', 'Sent', 'Delivered']) await timeline.getByText(step).waitFor();
  });

  test('a plan is chosen, renewed, paid on the page, and its days are added', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Dewi', 'dewi@toko.example');
    await page.goto('/app/billing');
    await page.getByRole('button', { name: 'Choose: Usaha' }).click();
    await page.getByRole('button', { name: /^Renew for Rp/ }).click();
    await page.waitForURL(/\/pay\//);
    await page.getByRole('button').first().click();
    await page.goto('/app/billing');
    await page.getByRole('cell', { name: 'Paid', exact: true }).waitFor();
    await page.getByText(/, (2\d|3\d) days left/).waitFor();
    await page.getByRole('tab', { name: 'Invoices' }).click();
    await page.getByRole('button', { name: /^KRR-/ }).click();
    await page.getByRole('dialog').getByText('Toko Dewi').waitFor();
  });

  test('two people at the same gateway share nothing', async () => {
    const [one, two] = await Promise.all([person(), person()]);
    await signUp(one.page, 'Toko Eka', 'eka@toko.example');
    await signUp(two.page, 'Toko Fajar', 'fajar@toko.example');
    const deviceId = await linkDevice(one.page, 'Milik Eka');
    const phone = newPhoneNumber();
    await sendTest(one.page, phone, 'Hanya untuk Eka');
    await one.page.getByText('Delivered', { exact: true }).first().waitFor();

    await two.page.goto('/app/devices');
    await two.page.getByRole('heading', { name: 'Link your first phone' }).waitFor();
    await two.page.goto(`/app/devices/${deviceId}`);
    await two.page.getByRole('alert').waitFor();
    expect(await two.page.locator('main').textContent()).not.toContain('Milik Eka');
    await two.page.goto('/app/messages');
    await two.page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    await two.page.goto(`/app/handset?number=${phone}`);
    await two.page.getByText('Nothing has arrived yet').waitFor();
  });

  test('who is not signed in is asked to, and comes back to the page that was meant', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Gita', 'gita@toko.example');
    await page.getByRole('button', { name: /Toko Gita/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/app/keys');
    await page.getByLabel('E-mail').fill('gita@toko.example');
    await page.getByLabel('Password').fill('not the one at all');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('E-mail and password do not fit together').waitFor();
    await page.getByLabel('Password').fill('kuda poni di atas awan');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });
});
