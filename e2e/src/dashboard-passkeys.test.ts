/** Passkeys in a real browser with the virtual authenticator of Chromium: registering, using, refusing, removing. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { signUp } from './browser/dashboard-person.js';
import { plugIn, verifies } from './browser/passkey.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
/** Browsers accept no passkey for an IP address. */
const named = () => stack.baseUrl.replace('127.0.0.1', 'localhost');

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function signOut({ page }: Person): Promise<void> {
  const status = await page.evaluate(async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    return (await fetch('/app/api/auth/sign-out', init)).status;
  });
  expect(status).toBe(200);
  await page.goto('/app/sign-in');
}

describe.skipIf(chromiumPath === null)(`passkeys (skipped: ${whyNoBrowser})`, () => {
  test('a passkey is added, signs in without a password, and no longer signs in when it is removed', async () => {
    const person = await openPerson(browser, named());
    const { page } = person;
    const authenticator = await plugIn(person);
    await signUp(page, 'Toko Dewi', 'dewi@toko.example');

    await page.goto('/app/security');
    await page.getByLabel('What to call it').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Remove: Laptop' }).waitFor();
    const { credentials } = await authenticator.cdp.send('WebAuthn.getCredentials', {
      authenticatorId: authenticator.id,
    });
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }]);

    await signOut(person);
    const enter = page.getByRole('button', { name: 'Sign in with a passkey' });
    await verifies(authenticator, false);
    await enter.click();
    await page.getByText('That did not work. Try again.').waitFor();
    expect(page.url()).toContain('/app/sign-in');

    await verifies(authenticator, true);
    await enter.click();
    await page.waitForURL((url) => !url.pathname.includes('sign-in'));
    await page.goto('/app/security');
    await page.getByRole('button', { name: 'Remove: Laptop' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('None yet.').waitFor();

    await signOut(person);
    await enter.click();
    await page.getByText('That did not work. Try again.').waitFor();
    expect(page.url()).toContain('/app/sign-in');
    expect(person.errors).toEqual([]);
    await person.context.close();
  });

  test.each([
    [
      'en-GB',
      'Browsers do not allow passkeys',
      'Open this page at localhost',
      'Sign in with a passkey',
      'Add a passkey',
    ],
    [
      'id-ID',
      'Browser tidak mengizinkan passkey',
      'Buka halaman ini di localhost',
      'Masuk dengan passkey',
      'Tambah passkey',
    ],
  ])('at an IP address the pages say where passkeys work: %s', async (locale, sentence, open, enter, add) => {
    const person = await openPerson(browser, stack.baseUrl, { locale });
    const { page } = person;
    const expectPlace = async (path: string, button: string) => {
      await page.goto(path);
      await page.getByText(sentence).waitFor();
      expect(await page.getByRole('button', { name: button }).count()).toBe(0);
      const href = await page.getByRole('link', { name: open }).getAttribute('href');
      expect(href).toBe(`${named()}${path}`);
    };
    await expectPlace('/app/sign-in', enter);
    const email = `${locale}@toko.example`.toLowerCase();
    const body = JSON.stringify({ name: 'Toko', email, password: 'sebuah kalimat yang panjang sekali' });
    const status = await page.evaluate(async (sent) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: sent };
      return (await fetch('/app/api/auth/sign-up/email', init)).status;
    }, body);
    expect(status).toBe(200);
    await expectPlace('/app/security', add);
    expect(person.errors).toEqual([]);
    await person.context.close();
  });
});
