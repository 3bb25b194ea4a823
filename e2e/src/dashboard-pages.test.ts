/**
 * Inspects what pages of the dashboard open, in both themes and both widths: axe finds nothing serious, and nothing
 * overflows. `dashboard-walk.test.ts` looks at the pages themselves.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { createKey, linkDevice, password, payForPlan, sendTest, signUp } from './browser/dashboard-person.js';
import { email, scenes } from './browser/dashboard-scenes.js';
import { inspect, inspectBoth, look, narrow, wide } from './browser/inspect-page.js';
import { tabTo } from './browser/keyboard.js';
import { settle } from './browser/page-findings.js';
import { runAdmin } from './customers/customer.js';
import { type Stack, startStack } from './stack/stack.js';

/** The device has written to this one contact. */
const phone = '6281234567890';

const adminTabs = ['health', 'accounts', 'plans', 'workers', 'lanes', 'webhooks', 'audit'];
const views = [
  { scheme: 'light', width: wide, locale: 'en-GB' },
  { scheme: 'dark', width: narrow, locale: 'id-ID' },
] as const;

let stack: Stack;
let browser: Browser;
let deviceId = '';
let contactId = '';

async function fillAccount(): Promise<void> {
  const { page, context } = await openPerson(browser, stack.baseUrl);
  await signUp(page, 'Toko Semua', email);
  deviceId = await linkDevice(page, 'Toko');
  await createKey(page, 'Checkout');
  await sendTest(page, phone, 'Pesanan 7781 sedang diantar.');
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await payForPlan(page, 'Usaha');
  await runAdmin(stack.env, ['operator', 'add', email]);
  const data = { phone, name: 'Budi Santoso', attributes: { kota: 'Bandung' }, lists: ['member'] };
  const saved = await page.request.post('/api/v1/contacts', { data, headers: { Origin: stack.baseUrl } });
  const answer = (await saved.json()) as { data: { contact: { contact_id: string } } };
  contactId = answer.data.contact.contact_id;
  await context.close();
}

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  await runAdmin(stack.env, ['plan', 'create', 'Usaha', '--days', '30', '--price', '50000', '--quota', '1000']);
  await fillAccount();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/app/sign-in');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === '/app');
}

describe.skipIf(chromiumPath === null).each(views)(`pages (skipped: ${whyNoBrowser}), $scheme in $locale`, (view) => {
  const named = (path: string) => `${path.replaceAll(/[/?=]/g, '-') || 'overview'}-${view.scheme}`;

  test('have no findings when they show one thing', async () => {
    const person = await openPerson(browser, stack.baseUrl, view);
    await signIn(person.page);
    await person.page.goto('/app/messages');
    await person.page.locator('main ul button').first().click();
    await person.page.getByRole('dialog').locator('time').first().waitFor();
    await inspectBoth(person, named('message'));
    await person.page.goto(`/app/handset?number=${phone}`);
    await person.page.getByRole('log').getByText('Pesanan 7781').waitFor();
    await inspectBoth(person, named('handset-with-a-message'));
    await look(person, 'admin', named('admin'));
    for (const [at, tab] of adminTabs.entries()) {
      await person.page.getByRole('tab').nth(at).click();
      await settle(person.page);
      await inspectBoth(person, named(`admin-${tab}`));
    }
    await person.context.close();
  });
});

/** Both themes and both widths. The scenes need English pages. */
const sceneViews = [
  { scheme: 'light', width: wide, locale: 'en-GB' },
  { scheme: 'dark', width: narrow, locale: 'en-GB' },
] as const;

describe.skipIf(chromiumPath === null).each(sceneViews)(
  `dialogs (skipped: ${whyNoBrowser}), $scheme at $width`,
  (view) => {
    let person: Person;
    beforeAll(async () => {
      person = await openPerson(browser, stack.baseUrl, view);
      await signIn(person.page);
    });
    afterAll(() => person.context.close());

    test.each(scenes)('$name', async ({ play }) => {
      await play(person.page, (name) => inspect(person, `${name}-${view.scheme}-${view.width}`));
    });
  },
);

describe.skipIf(chromiumPath === null)(`the settings of a device (skipped: ${whyNoBrowser})`, () => {
  test('the limit of new contacts is chosen; only a fixed one has a number, and each names its risk', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.goto(`/app/devices/${deviceId}`);
    const policy = page.getByLabel('New contacts per day', { exact: true });
    const number = page.getByLabel('New contacts per day at most');
    const save = async (chosen: 'automatic' | 'fixed' | 'unlimited') => {
      await policy.selectOption(chosen);
      await number.waitFor({ state: chosen === 'fixed' ? 'visible' : 'detached' });
      if (chosen === 'fixed') await number.fill('7');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Settings saved').first().waitFor();
      await page.reload();
      await policy.waitFor();
      expect(await policy.inputValue()).toBe(chosen);
    };
    await save('automatic');
    await page.getByText('15 left, for codes 19.').waitFor();
    await save('fixed');
    expect(await number.inputValue()).toBe('7');
    await page.getByText('6 left, for codes 6.').waitFor();
    await save('unlimited');
    await page.getByText('may restrict or close an account').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test('the proxy is set, shown without its password, and removed', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.goto(`/app/devices/${deviceId}`);
    const address = page.getByLabel('Address');
    await address.fill('ftp://127.0.0.1:1080');
    await page.getByRole('button', { name: 'Use this proxy' }).click();
    await page.getByText('An address like socks5://').waitFor();
    await address.fill('socks5://127.0.0.1:1080');
    await page.getByRole('button', { name: 'Use this proxy' }).click();
    await page.getByRole('alert').getByText('must have a public address').waitFor();
    await address.fill('socks5://melati:rahasia-sekali@proxy.toko.example:1080');
    await page.getByRole('button', { name: 'Use this proxy' }).click();
    const shown = page.getByText('socks5://melati@proxy.toko.example:1080');
    await shown.waitFor();
    await page.reload();
    await shown.waitFor();
    expect(await page.content()).not.toContain('rahasia-sekali');
    await page.getByRole('button', { name: 'Take the proxy away' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take the proxy away' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
    await context.close();
  });
});

describe.skipIf(chromiumPath === null)(`adding a device and typing (skipped: ${whyNoBrowser})`, () => {
  test('a wrong proxy that was typed for WhatsApp does not stop a simulated device', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.goto('/app/devices?add=true');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Kios');
    await dialog.getByText('A real account on a real phone.').click();
    await dialog.getByPlaceholder('socks5://').fill('rubbish');
    await dialog.getByRole('button', { name: 'Add and link' }).click();
    await dialog.getByText('An address like socks5://').waitFor();
    await dialog.getByText('Pretend phones that you see').click();
    await dialog.getByRole('button', { name: 'Add and link' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await context.close();
  });

  test('typing is shown on the phone until it is stopped', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.goto(`/app/send?device=${deviceId}&to=${phone}`);
    const handset = await context.newPage();
    await handset.goto(`/app/handset?number=${phone}`);
    const sign = handset.getByText('typing…');
    await page.getByRole('button', { name: 'Show typing' }).click();
    await sign.waitFor();
    await page.getByRole('button', { name: 'Stop typing' }).click();
    await sign.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show typing' }).waitFor();
    await context.close();
  });
});

describe.skipIf(chromiumPath === null)(`a keyboard alone (skipped: ${whyNoBrowser})`, () => {
  test('signs up, links a device, sends, and sees it arrive', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    const { keyboard } = page;
    await page.goto('/app/sign-up');
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    for (const [field, text] of [
      [/Your name/, 'Papan Ketik'],
      [/Email/, 'papan@toko.example'],
      [/^Country/, 'Indonesia'],
      [/Password/, password],
    ] as const) {
      await tabTo(page, field);
      await keyboard.type(text);
    }
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Welcome to Kurir' }).waitFor();

    await tabTo(page, /^Add a device$/);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^Name/);
    await keyboard.type('Toko');
    await keyboard.press('Enter');
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await tabTo(page, /^Pretend to scan$/);
    await keyboard.press('Enter');
    await page.getByText('Connected', { exact: true }).first().waitFor();

    await tabTo(page, /^Send a message$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Send a message' }).waitFor();
    await tabTo(page, /^Message$/);
    await keyboard.type('Your code is 493021');
    await tabTo(page, /^Send$/);
    await keyboard.press('Enter');
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await tabTo(page, /^See it on the handset$/);
    await keyboard.press('Enter');
    await page.getByRole('log').getByText('Your code is 493021').waitFor();
    await context.close();
  });

  test('finds a page in the palette and opens another with two letters', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('billing');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Plan & billing' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    await context.close();
  });

  test('finds pages by words of the other language, things by name, and actions in the palette', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl, views[0]);
    await signIn(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const find = async (text: string, found: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(text);
      await page.getByRole('option', { name: found }).click();
    };
    await find('perangkat', /^Devices/);
    await page.getByRole('heading', { name: 'Devices', exact: true }).waitFor();
    await find('santoso', /^Budi Santoso/);
    await page.waitForURL(new RegExp(`/contacts/${contactId}$`));
    // The name of a thing stands above pages, and Enter opens it.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('toko');
    await page.locator('[cmdk-item][data-selected=true]', { hasText: /^Toko$/ }).waitFor();
    expect(await page.getByRole('option').first().textContent()).toBe('Toko');
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/devices/${deviceId}$`));
    await find('undang', 'Invite somebody');
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('webhook signature');
    const [docs] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('option', { name: 'Search the documentation: webhook signature' }).click(),
    ]);
    await docs.locator('.VPLocalSearchBox input').waitFor();
    expect(await docs.locator('.VPLocalSearchBox input').inputValue()).toBe('webhook signature');
    await docs.close();
    await find('keluar', 'Sign out');
    await page.waitForURL(/\/sign-in/);
    expect(errors).toEqual([]);
    await context.close();
  });
});
