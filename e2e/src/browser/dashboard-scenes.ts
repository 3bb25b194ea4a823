/**
 * The dialogs and menus of the dashboard, in English. Each scene opens them one after the other and calls `look` for
 * each. A scene undoes its changes, so that it can run again.
 */
import type { Page } from 'playwright-core';
import { newPhoneNumber } from '../phones/phone.js';
import { authenticatorCode } from './authenticator-code.js';
import { password, signIn } from './dashboard-person.js';

/** The account in which the scenes run. */
export const email = 'semua@toko.example';

export type Look = (name: string) => Promise<void>;
export type Scene = { readonly name: string; play(page: Page, look: Look): Promise<void> };

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const inDialog = (page: Page, name: string) =>
  page.locator('[role=dialog], [role=alertdialog]').getByRole('button', { name, exact: true });

async function openKeyMenu(page: Page, item: string): Promise<void> {
  await press(page, /^Actions for/);
  await page.getByRole('menuitem', { name: item }).click();
  await page.locator('[role=dialog], [role=alertdialog]').waitFor();
}

const keys: Scene = {
  name: 'keys: create, the secret, edit, rotate, revoke',
  async play(page, look) {
    await page.goto('/app/keys?create=true');
    await page.getByRole('dialog').getByLabel('Name').fill('Kasir');
    await page.getByLabel('Only these').check();
    await look('key-create');
    await inDialog(page, 'Create a key').click();
    await page.getByRole('dialog', { name: 'Copy the secret now' }).locator('code').nth(1).waitFor();
    await look('key-secret');
    await inDialog(page, 'I have copied it').click();
    await press(page, /^Actions for/);
    await page.getByRole('menu').waitFor();
    await look('key-menu');
    await page.keyboard.press('Escape');
    for (const [item, name] of [
      ['Edit', 'key-edit'],
      ['Rotate the secret', 'key-rotate'],
      ['Revoke', 'key-revoke'],
    ] as const) {
      await openKeyMenu(page, item);
      await look(name);
      await page.keyboard.press('Escape');
      await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' });
    }
  },
};

const linking: Scene = {
  name: 'a device is linked by QR, then by a typed code',
  async play(page, look) {
    await page.goto('/app/devices?add=true');
    await page.getByRole('dialog').getByLabel('Name').fill('Cabang');
    await page.getByRole('radio', { name: /^WhatsApp/ }).check({ force: true });
    await page.getByLabel('Proxy').waitFor();
    await look('device-add-whatsapp');
    // Nobody links a real number without having read what it risks.
    await inDialog(page, 'Add and link').click();
    await page.getByText('Confirm this first.').waitFor();
    await page.locator('label', { hasText: /^Simulated/ }).click();
    await inDialog(page, 'Add and link').click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await look('device-qr');
    await press(page, 'Stop linking');
    await page.getByRole('tab', { name: 'Type a code' }).click();
    await page.getByLabel('The phone’s number').fill(newPhoneNumber());
    await look('device-ask-code');
    await press(page, 'Get a code');
    await page.getByText('Type it within').waitFor();
    await look('device-code');
    await press(page, 'Stop linking');
    await page.getByRole('tab', { name: 'Type a code' }).waitFor();
  },
};

const twoFactor: Scene = {
  name: 'two-factor sign-in is turned on, asked for and turned off',
  async play(page, look) {
    await page.goto('/app/security');
    await press(page, 'Turn on');
    await page.getByLabel('Your password').fill(password);
    await look('two-factor-password');
    await inDialog(page, 'Continue').click();
    const key = await page.getByRole('dialog').locator('code').innerText();
    await look('two-factor-scan');
    await page.getByLabel('The six digits that it shows').fill(authenticatorCode(key));
    await inDialog(page, 'Confirm').click();
    await inDialog(page, 'I have kept them').waitFor();
    await look('two-factor-backup-codes');
    await inDialog(page, 'I have kept them').click();
    await page.context().clearCookies();
    await signIn(page, email, password);
    await page.getByRole('heading', { name: 'Your second factor' }).waitFor();
    await look('sign-in-code');
    await page.getByLabel('Code').fill(authenticatorCode(key, 1));
    await press(page, 'Continue');
    await page.waitForURL(/\/app\/?$/);
    await page.goto('/app/security');
    await press(page, 'New backup codes');
    await look('two-factor-new-codes');
    await page.keyboard.press('Escape');
    await press(page, 'Turn off');
    await look('two-factor-off');
    await page.getByLabel('Your password').fill(password);
    await inDialog(page, 'Turn off').click();
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
  },
};

const money: Scene = {
  name: 'an invoice',
  async play(page, look) {
    await page.goto('/app/billing');
    await page.getByRole('tab', { name: 'Invoices' }).click();
    await press(page, /^KRR-/);
    await page.getByRole('dialog').getByText('Toko Semua').waitFor();
    await look('invoice');
  },
};

const shell: Scene = {
  name: 'the bell, the palette, the shortcuts and the person’s menu of every page',
  async play(page, look) {
    await page.goto('/app/members');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await look('invite');
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Notices/ })
      .filter({ visible: true })
      .click();
    await page.getByRole('dialog', { name: 'Notices' }).getByText('Toko: linked with a number').waitFor();
    await look('bell');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Ctrl').waitFor();
    await look('shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await look('palette');
    await page.keyboard.press('Escape');
    const opener = page.getByRole('button', { name: 'Open the menu' });
    if (await opener.isVisible()) {
      await opener.click();
      await page.getByRole('dialog').getByRole('link', { name: 'Overview' }).waitFor();
      await look('menu');
    }
    await press(page, /Toko Semua/);
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await look('person-menu');
  },
};

const admin: Scene = {
  name: 'the operator’s dialogs: look at an account, grant a period, change a plan',
  async play(page, look) {
    await page.goto('/app/admin');
    await page.getByText('Nothing needs you.').waitFor();
    await page.getByRole('tab', { name: 'Accounts' }).click();
    await press(page, /^Look/);
    await page.getByRole('dialog').getByText(email).waitFor();
    await look('admin-account');
    await press(page, /^Suspend this account/);
    await look('admin-suspend');
    await page.getByLabel(/^Why/).fill('Three people reported it.');
    await press(page, /^Suspend$/);
    await page.getByRole('button', { name: 'End the suspension' }).waitFor();
    await look('admin-suspended');
    await page.keyboard.press('Escape');
    await page.getByText('This account is suspended').waitFor();
    await look('suspended');
    await press(page, /^Look/);
    await press(page, /^End the suspension/);
    await page.getByRole('button', { name: /^Suspend this account/ }).waitFor();
    await page.getByText('This account is suspended').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await press(page, /^Add free period/);
    await page.getByRole('dialog').getByRole('option').first().waitFor({ state: 'attached' });
    await look('admin-grant');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Plans' }).click();
    await press(page, /^Change /);
    await page.getByRole('dialog').getByRole('switch').waitFor();
    await look('admin-plan');
  },
};

export const scenes: readonly Scene[] = [keys, linking, twoFactor, money, shell, admin];
