/** The dashboard in a real browser, with the real programs. */
import { readFileSync } from 'node:fs';
import { createClient } from '@kurir/client';
import { waitUntil } from '@kurir/testing';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorCode } from './browser/authenticator-code.js';
import { chromiumPath, openBrowser, openPerson, type Person, takePicture, whyNoBrowser } from './browser/browser.js';
import {
  createKey,
  linkDevice,
  password,
  readShownSecret,
  payOnPage,
  sendTest,
  signIn,
  signUp,
} from './browser/dashboard-person.js';
import { mailedLink } from './browser/mailbox.js';
import { runAdmin } from './customers/customer.js';
import { newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

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
afterEach(async ({ task }) => {
  const errors = people.flatMap((one) => one.errors);
  if (task.result?.state === 'fail')
    await Promise.all(people.map(({ page }, i) => takePicture(page, `failed-${task.id}-${i}`)));
  await Promise.all(people.splice(0).map(({ context }) => context.close()));
  if (errors.length > 0) throw new Error(`a page reported: ${errors.join('; ')}`);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

describe.skipIf(chromiumPath === null)(`messages in a browser (skipped: ${whyNoBrowser})`, () => {
  test('a new person links a device, sends, and sees the message arrive without reloading', async () => {
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
    await page.getByRole('button', { name: 'Show the text' }).click();
    await page.getByRole('dialog').getByText('Pesanan Anda diantar').waitFor();
    await page.keyboard.press('Escape');

    const search = page.getByLabel('Search messages');
    await search.fill('not-a-reference');
    await page.getByRole('heading', { name: 'Nothing fits these filters' }).waitFor();
    await search.fill(phone.slice(-6));
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Ayu');
    await page.getByRole('dialog').getByRole('button', { name: 'Save filters' }).click();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByLabel('Saved filters').selectOption('Ayu');
    await page.waitForURL(new RegExp(`q=.*${phone.slice(-6)}`));
  });

  test('a message that a program sends appears in the open list, and its state changes there', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Budi', 'budi@toko.example');
    const deviceId = await linkDevice(page, 'OTP');
    const key = await createKey(page, 'Checkout');
    await page.goto('/app/messages');
    await page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    const client = createClient({ baseUrl: stack.baseUrl, ...key, deviceId });
    await client.sendMessage({ message: 'Kode 493021', phoneDestination: newPhoneNumber(), priority: 'otp' });
    const row = page.getByRole('list', { name: 'Messages' }).getByRole('button').first();
    // Some phones read at once.
    await row.getByText(/^(Delivered|Read)$/).waitFor();
    expect(await row.textContent()).toContain('OTP');
  });
});

describe.skipIf(chromiumPath === null)(`keys and plans in a browser (skipped: ${whyNoBrowser})`, () => {
  test('a key is made, used, rotated with an overlap, and revoked', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Citra', 'citra@toko.example');
    const deviceId = await linkDevice(page, 'Citra');
    const first = await createKey(page, 'Server');
    const ask = (key: { apiKey: string; apiSecret: string }) =>
      createClient({ baseUrl: stack.baseUrl, deviceId, ...key }).accountInfo();
    expect((await ask(first)).remainingQuota).toMatch(/^\d+$/);

    await page.getByRole('button', { name: 'Actions for Server' }).click();
    await page.getByRole('menuitem', { name: 'Rotate the secret' }).click();
    await page.getByRole('button', { name: 'Make the new secret' }).click();
    const second = await readShownSecret(page);
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.apiSecret).not.toBe(first.apiSecret);
    const rotatedAt = Date.now();
    await ask(second);
    await ask(first);
    // The open page shows this without reloading: the api notes the use within seconds, and the page asks again soon
    // after.
    const oldUse = page
      .locator('p', { hasText: /Old secret: last used/ })
      .locator('time')
      .first();
    await waitUntil(async () => Date.parse((await oldUse.getAttribute('datetime')) ?? '') >= rotatedAt, {
      what: 'the page says that the old secret was used',
      timeoutMs: 120_000,
    });

    await page.getByRole('button', { name: 'Actions for Server' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'Your program needs a key' }).waitFor();
    const refusal = async () =>
      ask(second).then(
        () => null,
        (error: { code?: string }) => error.code,
      );
    await waitUntil(async () => (await refusal()) === 'INVALID_API_KEY', { what: 'the revoked key is refused' });
  });

  test('a plan is chosen, renewed on the page and by a program, and paid, and its days are added', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Dewi', 'dewi@toko.example');
    await page.goto('/app/billing');
    await page.getByRole('button', { name: 'Choose: Usaha' }).click();
    await page.getByRole('button', { name: /^Pay Rp/ }).click();
    await page.waitForURL(/\/pay\//);
    await payOnPage(page);
    await page.goto('/app/billing');
    await page.getByRole('cell', { name: 'Paid', exact: true }).waitFor();
    await page.getByText(/, (2\d|3\d) days left/).waitFor();
    await page.getByRole('tab', { name: 'Invoices' }).click();
    await page.getByRole('button', { name: /^KRR-/ }).click();
    await page.getByRole('dialog').getByText('Toko Dewi').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Name on the invoice').fill('PT Dewi Sejahtera');
    await page.getByLabel('Tax number').fill('09.254.294.3-407.000');
    await page.getByLabel('Postal address').fill('Jl. Melati 5\nBandung');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Invoice details saved').waitFor();

    const program = createClient({ baseUrl: stack.baseUrl, ...(await createKey(page, 'Renewals')) });
    const before = await program.accountInfo();
    await page.goto((await program.renewAccount()).paymentUrl);
    await payOnPage(page);
    await page.goto('/app/billing');
    await page.getByText(`, ${before.daysLeft + 30} days left`).waitFor();
    expect(await program.accountInfo()).toMatchObject({ daysLeft: before.daysLeft + 30 });
    await page.getByRole('tab', { name: 'Invoices' }).click();
    await page.getByRole('button', { name: /^KRR-/ }).first().click();
    await page.getByRole('dialog').getByText('PT Dewi Sejahtera').waitFor();
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download PDF' }).click(),
    ]);
    expect(pdf.suggestedFilename()).toMatch(/^KRR-\d{8}-\w{8}\.pdf$/);
    expect(readFileSync(await pdf.path(), 'latin1')).toMatch(/^%PDF-/);
  });
});

describe.skipIf(chromiumPath === null)(`people in a browser (skipped: ${whyNoBrowser})`, () => {
  test('two people with accounts at the same gateway share nothing', async () => {
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
    await two.page.getByRole('heading', { name: 'This device is gone' }).waitFor();
    expect(await two.page.locator('main').textContent()).not.toContain('Milik Eka');
    await two.page.goto('/app/messages');
    await two.page.getByRole('heading', { name: 'No messages yet' }).waitFor();
    await two.page.goto(`/app/handset?number=${phone}`);
    await two.page.getByText('Nothing has arrived yet').waitFor();
  });

  test('a person who is not signed in must sign in, and then gets the requested page', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Gita', 'gita@toko.example');
    await page.getByRole('button', { name: /Toko Gita/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goto('/app/keys');
    await page.getByLabel('Email').fill('gita@toko.example');
    await page.getByLabel('Password').fill('not the one at all');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Wrong email or password').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });
});

describe.skipIf(chromiumPath === null)(`sign-in in a browser (skipped: ${whyNoBrowser})`, () => {
  test('two-factor sign-in is turned on and then asks for a code', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Hana', 'hana@toko.example');
    await page.goto('/app/security');
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const authenticatorKey = await dialog.locator('code').innerText();
    await dialog.getByLabel('The six digits that it shows').fill(authenticatorCode(authenticatorKey));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByRole('button', { name: 'I have kept them' }).click();

    const other = await person();
    await signIn(other.page, 'hana@toko.example', password);
    await other.page.getByRole('heading', { name: 'Your second factor' }).waitFor();
    await other.page.getByLabel('Code').fill('000000');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByText('That code is wrong or was used before').waitFor();
    await other.page.getByLabel('Code').fill(authenticatorCode(authenticatorKey, 1));
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByRole('heading', { name: 'Welcome to Kurir' }).waitFor();
  });

  test('the link in a mail replaces a forgotten password, which then no longer works', async () => {
    const { page } = await person();
    await signUp(page, 'Toko Indah', 'indah@toko.example');
    const other = await person();
    await other.page.goto('/app/sign-in');
    await other.page.getByRole('link', { name: 'Forgot password?' }).click();
    await other.page.getByRole('heading', { name: 'Reset the password' }).waitFor();
    await other.page.getByLabel('Email').fill('indah@toko.example');
    await other.page.getByRole('button', { name: 'Email me the link' }).click();
    await other.page.getByRole('link', { name: 'Open the mailbox' }).click();
    await other.page.getByRole('heading', { name: 'Mailbox' }).waitFor();
    await other.page.goto(await mailedLink(other.page, 'indah@toko.example'));
    await other.page.getByLabel('New password').fill('sama sekali bukan yang lama');
    await other.page.getByRole('button', { name: 'Save the password' }).click();
    await other.page.getByText('The password is changed').waitFor();

    await signIn(other.page, 'indah@toko.example', password);
    await other.page.getByText('Wrong email or password').waitFor();
    await signIn(other.page, 'indah@toko.example', 'sama sekali bukan yang lama');
    await other.page.getByRole('heading', { name: 'Welcome to Kurir' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
