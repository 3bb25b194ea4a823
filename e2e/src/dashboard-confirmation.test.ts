/** The prompt in place before a change of how a person signs in, in both languages and both widths. */
import { openDatabase } from '@kurir/database';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticatorCode } from './browser/authenticator-code.js';
import {
  chromiumPath,
  openBrowser,
  openPerson,
  type Person,
  reopenPerson,
  resize,
  whyNoBrowser,
} from './browser/browser.js';
import { password, signUp } from './browser/dashboard-person.js';
import { inspect, narrow, wide } from './browser/inspect-page.js';
import { plugIn } from './browser/passkey.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
const named = () => stack.baseUrl.replace('127.0.0.1', 'localhost');

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Lets all confirmations end, as ten minutes would. */
async function endConfirmations(): Promise<void> {
  const database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 1 });
  await database.pool.query('UPDATE sessions SET confirmed_at = NULL');
  await database.close();
}

const english = {
  name: 'What to call it',
  add: 'Add a passkey',
  remove: 'Remove: Laptop',
  removeIt: 'Remove',
  none: 'None yet.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  isOff: 'Two-factor sign-in is off',
  saved: 'I have kept them',
  asks: 'Is it still you?',
  go: 'Continue',
  confirm: 'Confirm',
  passkey: 'Use a passkey',
  wrong: 'That password is not right.',
  wrongCode: 'That code is wrong or was used before. Wait for the next one.',
  declined: 'Nothing has changed: it was not confirmed that it is you.',
  present: 'Current password',
  next: 'New password',
  change: 'Change the password',
  changed: 'Password changed',
  common: 'This password is easy to guess.',
};
const indonesian: typeof english = {
  name: 'Namanya',
  add: 'Tambah passkey',
  remove: 'Hapus: Laptop',
  removeIt: 'Hapus',
  none: 'Belum ada.',
  turnOn: 'Aktifkan',
  turnOff: 'Matikan',
  isOff: 'Verifikasi dua langkah mati',
  saved: 'Sudah saya simpan',
  asks: 'Masih Anda?',
  go: 'Lanjutkan',
  confirm: 'Konfirmasi',
  passkey: 'Pakai passkey',
  wrong: 'Kata sandinya tidak benar.',
  wrongCode: 'Kode salah atau sudah dipakai. Tunggu kode berikutnya.',
  declined: 'Tidak ada yang berubah, karena belum dikonfirmasi bahwa ini Anda.',
  present: 'Kata sandi sekarang',
  next: 'Kata sandi baru',
  change: 'Ganti kata sandi',
  changed: 'Kata sandi diganti',
  common: 'Kata sandi ini mudah ditebak.',
};

const views = [
  { t: english, view: { scheme: 'light', width: wide, locale: 'en-GB' }, email: 'nur@toko.example' },
  { t: indonesian, view: { scheme: 'dark', width: narrow, locale: 'id-ID' }, email: 'putri@toko.example' },
] as const;

/** Inspects the prompt in both widths. The page behind it stays busy until the person has answered. */
async function inspectOver(person: Person, name: string): Promise<void> {
  const asOpened = person.page.viewportSize()?.width ?? wide;
  for (const width of [asOpened === wide ? narrow : wide, asOpened]) {
    await resize(person.page, width);
    await inspect(person, `${name}-${width}`);
  }
}

async function turnOnTwoFactor(page: Page, t: typeof english): Promise<string> {
  await page.getByRole('button', { name: t.turnOn }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=password]').fill(password);
  await dialog.getByRole('button', { name: t.go }).click();
  const key = await dialog.locator('code').innerText();
  await dialog.locator('input').fill(authenticatorCode(key));
  await dialog.getByRole('button', { name: t.confirm }).click();
  await dialog.getByRole('button', { name: t.saved }).click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}

async function openTurnOff(page: Page, t: typeof english) {
  await page.getByRole('button', { name: t.turnOff }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=password]').fill(password);
  await dialog.getByRole('button', { name: t.turnOff }).click();
  return page.getByRole('dialog', { name: t.asks });
}

describe.skipIf(chromiumPath === null).each(views)(
  `a prompt in place (skipped: ${whyNoBrowser})`,
  ({ t, view, email }) => {
    test(`asks for the password, a code or a passkey, then repeats the change: ${view.locale}`, async () => {
      const english = await openPerson(browser, named(), { ...view, locale: 'en-GB' });
      await signUp(english.page, 'Toko Nur', email);
      const person = await reopenPerson(browser, named(), english, view);
      const { page } = person;
      await plugIn(person);
      await page.goto('/app/security');
      const prompt = page.getByRole('dialog', { name: t.asks });

      await endConfirmations();
      await page.getByLabel(t.name, { exact: true }).fill('Laptop');
      await page.getByRole('button', { name: t.add }).click();
      await prompt.locator('input[type=password]').fill('not the one at all');
      await prompt.getByRole('button', { name: t.go }).click();
      await prompt.getByText(t.wrong).waitFor();
      await inspectOver(person, `confirm-password-${view.locale}`);
      await prompt.locator('input[type=password]').fill(password);
      await prompt.getByRole('button', { name: t.go }).click();
      await page.getByRole('button', { name: t.remove }).waitFor();

      const key = await turnOnTwoFactor(page, t);
      await endConfirmations();
      await openTurnOff(page, t);
      await prompt.locator('input').fill('000000');
      await prompt.getByRole('button', { name: t.go }).click();
      await prompt.getByText(t.wrongCode).waitFor();
      await inspectOver(person, `confirm-code-${view.locale}`);
      await page.keyboard.press('Escape');
      await page.getByText(t.declined).waitFor();
      await inspectOver(person, `confirm-declined-${view.locale}`);
      await page.keyboard.press('Escape');

      await openTurnOff(page, t);
      await prompt.getByRole('button', { name: t.passkey }).click();
      await page.getByText(t.isOff).first().waitFor();

      await turnOnTwoFactor(page, t);
      await endConfirmations();
      expect(key).not.toBe('');
      await page.getByRole('button', { name: t.remove }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: t.removeIt }).click();
      await prompt.getByRole('button', { name: t.passkey }).click();
      await page.getByText(t.none).waitFor();

      await page.getByLabel(t.present).fill(password);
      await page.getByLabel(t.next).fill('password12');
      await page.getByRole('button', { name: t.change }).click();
      await page.getByText(t.common).waitFor();
      await inspectOver(person, `password-refused-${view.locale}`);
      await page.getByLabel(t.next).fill('sama sekali bukan yang lama');
      await page.getByRole('button', { name: t.change }).click();
      await page.getByText(t.changed).first().waitFor();
      expect(person.errors).toEqual([]);
      await person.context.close();
    });
  },
);
