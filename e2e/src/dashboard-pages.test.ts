/** Every page of the dashboard in both themes, wide and narrow: nothing serious by axe, nothing that spills over. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { waitUntil } from '@kurir/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, takePicture, whyNoBrowser } from './browser.js';
import { runAdmin } from './customer.js';
import { createKey, linkDevice, password, sendTest, signUp } from './dashboard-person.js';
import { type Stack, startStack } from './stack.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = '6281234567890';
const email = 'semua@toko.example';

const before = ['sign-in', 'sign-up', 'forgot', 'reset-password'];
const pages = [
  '',
  'messages',
  'send',
  'devices',
  'handset',
  'keys',
  'debugger',
  'billing',
  'members',
  'audit',
  'security',
];
const views = [
  { scheme: 'light', width: 1280, locale: 'en-GB' },
  { scheme: 'dark', width: 1280, locale: 'id-ID' },
  { scheme: 'light', width: 390, locale: 'id-ID' },
  { scheme: 'dark', width: 390, locale: 'en-GB' },
] as const;

let stack: Stack;
let browser: Browser;
let deviceId = '';

async function fillAccount(): Promise<void> {
  const { page, context } = await openPerson(browser, stack.baseUrl);
  await signUp(page, 'Toko Semua', email);
  deviceId = await linkDevice(page, 'Toko');
  await createKey(page, 'Checkout');
  await sendTest(page, phone, 'Pesanan 7781 sedang diantar.');
  await page.getByText('Delivered', { exact: true }).first().waitFor();
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

type Finding = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] };

/** What axe calls serious or worse, a line each. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations)',
  )) as Finding[];
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
}

/** The page has its heading and waits for nothing. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await waitUntil(
    async () => (await page.locator('[aria-busy="true"], .animate-breathe[aria-hidden]:not(span)').count()) === 0,
    {
      what: 'the page has loaded',
    },
  );
}

async function look(person: Person, path: string, name: string): Promise<void> {
  const { page } = person;
  await page.goto(`/app/${path}`);
  await settle(page);
  expect(page.url(), 'another page opened').toContain(`/app/${path}`);
  await takePicture(page, name);
  expect(await seriousFindings(page)).toEqual([]);
  const spill = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
  expect(spill, `${path} is wider than the window`).toBe(0);
  expect(person.errors).toEqual([]);
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/app/sign-in');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === '/app');
}

describe.skipIf(chromiumPath === null).each(views)(
  `pages (skipped: ${whyNoBrowser}), $scheme at $width in $locale`,
  (view) => {
    const named = (path: string) => `${path.replaceAll('/', '-') || 'overview'}-${view.scheme}-${view.width}`;

    test('before signing in', async () => {
      const person = await openPerson(browser, stack.baseUrl, view);
      for (const path of before) await look(person, path, named(path));
      await person.context.close();
    });

    test('after it', async () => {
      const person = await openPerson(browser, stack.baseUrl, view);
      await signIn(person.page);
      for (const path of pages) await look(person, path, named(path));
      await look(person, `devices/${deviceId}`, named('device'));
      await look(person, 'devices?add=true', named('add-device'));
      await person.page.goto('/app/messages');
      await person.page.locator('main ul button').first().click();
      await person.page.getByRole('dialog').locator('time').first().waitFor();
      await takePicture(person.page, named('message'));
      expect(await seriousFindings(person.page)).toEqual([]);
      await person.context.close();
    });
  },
);

const mostTabs = 60;

/** Runs in the page: what a person would call that which has the focus. */
const nameOfFocused = `(() => {
  const focused = document.activeElement;
  const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent;
  return label ?? focused.textContent ?? '';
})()`;

/** Tab until what has the focus is called so: only what a keyboard reaches can be reached here. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < mostTabs; i++) {
    if (name.test(String(await page.evaluate(nameOfFocused)).trim())) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}

describe.skipIf(chromiumPath === null)(`a keyboard alone (skipped: ${whyNoBrowser})`, () => {
  test('signs up, links a device, sends, and sees it arrive', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    const { keyboard } = page;
    await page.goto('/app/sign-up');
    await page.getByRole('button', { name: 'Create account' }).waitFor();
    for (const [field, text] of [
      [/Your name/, 'Papan Ketik'],
      [/E-mail/, 'papan@toko.example'],
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
    await page.getByRole('heading', { name: 'Send a test' }).waitFor();
    await tabTo(page, /^Send$/);
    await keyboard.press('Enter');
    await page.getByText('Delivered', { exact: true }).first().waitFor();
    await tabTo(page, /^See it on the handset$/);
    await keyboard.press('Enter');
    await page.getByRole('log').getByText('Your code is 493021').waitFor();
    await context.close();
  });

  test('finds a page by the palette and goes to another by two letters', async () => {
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
});
