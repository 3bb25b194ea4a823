/**
 * Walks over every page of the dashboard and the page for paying. In both languages and themes axe finds nothing of any
 * severity, and no text is of the other language. In both widths nothing overflows.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chromiumPath,
  openBrowser,
  openPerson,
  type Person,
  resize,
  takePicture,
  whyNoBrowser,
} from './browser/browser.js';
import { createKey, linkDevice, password, payForPlan, sendTest, signUp } from './browser/dashboard-person.js';
import { type Dictionary, type Language, readDictionaries } from './browser/dictionaries.js';
import { foreignTexts } from './browser/foreign-words.js';
import { allViolations, layoutFindings, settle } from './browser/page-findings.js';
import { runAdmin } from './customers/customer.js';
import { type Stack, startStack } from './stack/stack.js';

const email = 'jalan@toko.example';
const phone = '6281234567890';
const nobody = '628999910000';
const widths = [390, 1440] as const;

const before = ['sign-in', 'sign-up', 'forgot', 'reset-password', 'reset-password?token=used-up', 'join/no-more'];
const pages = [
  '',
  'messages',
  'messages?q=nothing-has-this',
  'send',
  'conversations',
  'contacts',
  'contacts/import',
  'broadcasts',
  'broadcasts/new',
  'suppressions',
  'templates',
  'devices',
  'devices?add=true',
  'devices/dev_nothing',
  `handset?number=${phone}`,
  'keys',
  'requests',
  'webhooks',
  'events',
  'debugger',
  'billing',
  'members',
  'members?invite=true',
  'audit',
  'notices',
  'profile',
  'confirm-email?token=used-up',
  'security',
  'admin',
  'nothing-here',
];
const views = [
  { scheme: 'light', locale: 'en-GB', language: 'en', inspectedWidth: 1440 },
  { scheme: 'dark', locale: 'id-ID', language: 'id', inspectedWidth: 390 },
] as const;

let stack: Stack;
let browser: Browser;
let dictionaries: Record<Language, Dictionary>;
const thingKinds = ['devices', 'contacts', 'templates', 'webhooks', 'broadcasts', 'conversations'] as const;
/** The page of one thing of each kind. */
let things: string[] = [];
let payPage = '';

/** Calls an operation as the person, and returns its data. */
async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const answer = await page.request.post(path, { data, headers: { Origin: stack.baseUrl } });
  const body = (await answer.json()) as { data?: Record<string, unknown> };
  if (body.data === undefined) throw new Error(`${path}: ${answer.status()} ${JSON.stringify(body)}`);
  return body.data;
}

async function fillAccount(): Promise<void> {
  const { page, context } = await openPerson(browser, stack.baseUrl);
  await signUp(page, 'Toko Jalan', email);
  const deviceId = await linkDevice(page, 'Kasir');
  await createKey(page, 'Checkout');
  await sendTest(page, phone, 'Pesanan 7781 sedang diantar.');
  await page.getByText('Delivered', { exact: true }).first().waitFor();
  await sendTest(page, nobody, 'Pesanan 7782 sedang diantar.');
  await page.getByText('Failed', { exact: true }).first().waitFor();
  await payForPlan(page, 'Usaha');
  payPage = String((await post(page, '/api/v1/account/renew', {}))['payment_url']);
  await runAdmin(stack.env, ['operator', 'add', email]);
  await post(page, `/app/api/handset/${phone}/messages`, { device_id: deviceId, text: 'Terima kasih' });
  const idOf = async (path: string, data: object, kind: string) => {
    const made = await post(page, `/api/v1/${path}`, data);
    const id = JSON.stringify(made).match(new RegExp(`"${kind}_[0-9a-z]+"`))?.[0] ?? '""';
    return `${path}/${JSON.parse(id) as string}`;
  };
  const contact = { phone, name: 'Budi Santoso', attributes: { kota: 'Bandung' }, lists: ['member'] };
  things = [
    `devices/${deviceId}`,
    await idOf('contacts', contact, 'con'),
    await idOf('templates', { name: 'pesanan', text: 'Pesanan {{nomor}} siap.' }, 'tpl'),
    await idOf('webhooks', { url: 'https://toko.example/hook' }, 'whk'),
    await idOf('broadcasts', { name: 'Juni', message: 'Pesanan siap.', device_ids: [deviceId] }, 'brc'),
  ];
  await page.goto('/app/conversations');
  await page.locator('main a[href*="/conversations/"]').first().click();
  await page.waitForURL(/\/conversations\/cnv_/);
  things.push(`conversations/${page.url().split('/').at(-1)}`);
  await context.close();
}

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser, dictionaries] = await Promise.all([startStack(), openBrowser(), readDictionaries()]);
  await runAdmin(stack.env, ['plan', 'create', 'Usaha', '--days', '30', '--price', '50000', '--quota', '1000']);
  await fillAccount();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

type View = (typeof views)[number];

/** All findings of the page that is open. axe looks at one width of each view, because it takes seconds. */
async function findingsOn({ page }: Person, view: View, name: string): Promise<string[]> {
  const { language, scheme, inspectedWidth } = view;
  const foreign = (await foreignTexts(page, language, dictionaries)).map((text) => `${name}: foreign: ${text}`);
  const found: string[] = [];
  for (const width of widths) {
    await resize(page, width);
    await settle(page);
    await takePicture(page, `walk-${name.replaceAll(/[/?=]/g, '-')}-${scheme}-${width}`);
    const violations = width === inspectedWidth ? await allViolations(page) : [];
    const lines = [...violations, ...(await layoutFindings(page))];
    found.push(...lines.map((line) => `${name} at ${width}: ${line}`));
  }
  return [...foreign, ...found];
}

async function visit(person: Person, view: View, path: string): Promise<string[]> {
  await person.page.goto(`/app/${path}`);
  await settle(person.page);
  expect(person.page.url(), 'another page opened').toContain(`/app/${path}`);
  const found = await findingsOn(person, view, path || 'overview');
  return [...found, ...person.errors.splice(0)];
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/app/sign-in');
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === '/app');
}

describe.skipIf(chromiumPath === null).each(views)(`a walk (skipped: ${whyNoBrowser}), $scheme in $locale`, (view) => {
  let person: Person;
  beforeAll(async () => {
    if (chromiumPath !== null) person = await openPerson(browser, stack.baseUrl, view);
  });
  afterAll(() => person?.context.close());

  test.each(before)('finds nothing on %s before signing in', async (path) => {
    expect(await visit(person, view, path)).toEqual([]);
  });

  test('signs in', () => signIn(person.page));

  test.each(pages)('finds nothing on the page %s', async (path) => {
    expect(await visit(person, view, path)).toEqual([]);
  });

  test.each(thingKinds)('finds nothing on a page of %s', async (kind) => {
    const path = things.find((thing) => thing.startsWith(`${kind}/`));
    expect(await visit(person, view, path ?? `no page of ${kind}`)).toEqual([]);
  });

  test('finds nothing on the page for paying', async () => {
    await person.page.goto(payPage);
    await person.page.locator('h1').waitFor();
    expect(await person.page.locator('html').getAttribute('lang')).toBe(view.language);
    expect(await findingsOn(person, view, 'pay')).toEqual([]);
    expect(person.errors).toEqual([]);
  });
});

test.skipIf(chromiumPath === null)('a text of the other language is found, also one with a value', async () => {
  expect(dictionaries.en.texts.size).toBeGreaterThan(1_000);
  const { page, context } = await openPerson(browser, stack.baseUrl, views[0]);
  await page.goto('/app/sign-in');
  await settle(page);
  await page.locator('h1').evaluate((heading) => {
    heading.textContent = 'Tidak ada paket yang berjalan';
    heading.setAttribute('aria-label', 'Tersimpan: 12 pesan, sisa 3 hari');
    heading.setAttribute('title', 'Cari pesan: 7781');
  });
  const found = await foreignTexts(page, 'en', dictionaries);
  expect(found).toEqual(['Tidak ada paket yang berjalan', 'Cari pesan: 7781']);
  expect(await foreignTexts(page, 'id', dictionaries)).not.toContain('Cari pesan: 7781');
  await context.close();
});

test('every page of the router is walked over', () => {
  const router = readFileSync(new URL('../../apps/dashboard/src/router.tsx', import.meta.url), 'utf8');
  const kinds = [...router.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path.replace(/^\//, ''));
  const walked = [...before, ...pages].map((path) => path.replace(/\?.*$/, ''));
  const ofThings = thingKinds.map((kind) => `${kind}/$`);
  const fits = (path: string) =>
    walked.includes(path) || path === '$' || path === 'join/$token' || ofThings.some((start) => path.startsWith(start));
  expect(kinds.filter((path) => !fits(path))).toEqual([]);
});
