/** The pages of templates, in both languages and at both widths: a person writes, previews, saves, restores and archives. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson, whyNoBrowser } from './browser/browser.js';
import { password, signUp } from './browser/dashboard-person.js';
import { inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { type Stack, startStack } from './stack/stack.js';

const english = {
  scheme: 'light',
  width: wide,
  locale: 'en-GB',
  empty: 'Write it once, greet everybody by name',
  create: 'New template',
  name: 'Name',
  text: 'Text',
  footer: 'Footer',
  place: 'Line 2, character 6',
  alike: 'Most people would get the same text',
  pick: 'Random choice',
  another: 'Another person',
  missing: /No value for kode/,
  save: 'Save',
  versions: 'Versions',
  restore: 'Restore: Version 1',
  conflict: 'Somebody saved another version meanwhile',
  latest: 'Load the latest version',
  archive: 'Archive',
} as const;

const indonesian = {
  scheme: 'dark',
  width: narrow,
  locale: 'id-ID',
  empty: 'Tulis sekali, sapa semua dengan namanya',
  create: 'Templat baru',
  name: 'Nama',
  text: 'Teks',
  footer: 'Kaki pesan',
  place: 'Baris 2, karakter 6',
  alike: 'Kebanyakan orang akan menerima teks yang sama',
  pick: 'Pilihan acak',
  another: 'Orang lain',
  missing: /Nilai kode kosong/,
  save: 'Simpan',
  versions: 'Versi',
  restore: 'Pakai lagi: Versi 1',
  conflict: 'Sementara itu, ada yang menyimpan versi lain',
  latest: 'Muat versi terbaru',
  archive: 'Arsipkan',
} as const;

type Words = typeof english | typeof indonesian;

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

async function openAccount(words: Words): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `templates-${words.locale}@toko.example`);
  return reopenPerson(browser, stack.baseUrl, person, words);
}

const textOf = (page: Page, words: Words) => page.getByRole('textbox', { name: words.text, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rendered = (page: Page) => page.getByTestId('rendered');
const shownVersion = (page: Page, version: number) =>
  page
    .locator('header')
    .getByText(new RegExp(`^Versi(on)? ${version}$`))
    .waitFor();

/** Writes a mistake, follows its link, mends it, and inserts a choice with the keyboard. */
async function write(person: Person, words: Words, named: (name: string) => string): Promise<void> {
  const { page } = person;
  const text = textOf(page, words);
  await page.getByLabel(words.name, { exact: true }).fill('Pesanan siap');
  await text.fill('Promo\nHalo {{nama, ada promo');
  expect(await page.getByRole('button', { name: words.save, exact: true }).isDisabled()).toBe(true);
  await press(page, words.place);
  expect(await text.evaluate((field: unknown) => (field as { selectionStart: number }).selectionStart)).toBe(11);
  await inspectBoth(person, named('mistake'));
  await text.fill(' ada promo!');
  await page.getByText(words.alike).waitFor();
  await inspectBoth(person, named('alike'));
  await text.press('Control+Home');
  await page.getByRole('button', { name: words.pick }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(words.alike).waitFor({ state: 'detached' });
  // The cursor stays after what was inserted.
  await page.keyboard.type(' {{nama|Kak}} {{kode}}');
  expect(await text.inputValue()).toMatch(/^\{\{pick:\w+\|[^}]+\}\} \{\{nama\|Kak\}\} \{\{kode\}\} ada promo!$/);
}

/** Types sample values. Another person gets another greeting, and the same one each time. */
async function preview(person: Person, words: Words, named: (name: string) => string): Promise<void> {
  const { page } = person;
  await page.getByLabel(words.footer).fill('Balas STOP – {{nama|Kak}}');
  await page.getByText(words.missing).waitFor();
  await page.getByLabel('kode').fill('A {{x}}');
  const greetings = new Set<string>();
  for (let i = 0; i < 12; i++) {
    const text = (await rendered(page).textContent()) ?? '';
    expect(text).toMatch(/ Kak A \{\{x\}\} ada promo!\n\nBalas STOP – Kak$/);
    greetings.add(text);
    await press(page, words.another);
  }
  expect(greetings.size).toBe(3);
  await page.getByLabel('nama', { exact: true }).fill('Budi');
  await rendered(page).getByText('Budi A {{x}}').waitFor();
  await inspectBoth(person, named('preview'));
}

/** Somebody saves in another tab, and this tab must not overwrite it. */
async function collide({ page, context }: Person, words: Words): Promise<void> {
  const other = await context.newPage();
  await other.goto(page.url());
  await textOf(other, words).fill('dari tab lain {{nama}}');
  await press(other, words.save);
  await shownVersion(other, 4);
  await other.close();
  await textOf(page, words).fill('dari tab ini {{nama}}');
  await press(page, words.save);
  await page.getByRole('alert').getByText(words.conflict).waitFor();
  expect(await textOf(page, words).inputValue()).toBe('dari tab ini {{nama}}');
  await press(page, words.latest);
  await shownVersion(page, 4);
  expect(await textOf(page, words).inputValue()).toBe('dari tab lain {{nama}}');
}

describe.skipIf(chromiumPath === null).each([english, indonesian])(
  `templates (skipped: ${whyNoBrowser}) in $locale`,
  (words) => {
    test('a person writes, previews, saves, restores, meets a conflict and archives', async () => {
      const person = await openAccount(words);
      const { page, errors } = person;
      const named = (name: string) => `templates-${name}-${words.locale}`;
      await page.goto('/app/templates');
      await page.getByText(words.empty).waitFor();
      await inspectBoth(person, named('empty'));
      await page.getByRole('link', { name: words.create }).click();
      await write(person, words, named);
      await preview(person, words, named);
      await press(page, words.save);
      await page.waitForURL(/\/templates\/tpl_/);
      await shownVersion(page, 1);
      const first = await textOf(page, words).inputValue();

      await textOf(page, words).fill('Hai {{nama}}');
      await press(page, words.save);
      await shownVersion(page, 2);
      await page.getByRole('tab', { name: words.versions }).click();
      await page.getByRole('button', { name: words.restore }).waitFor();
      await inspectBoth(person, named('versions'));
      await page.getByRole('button', { name: words.restore }).click();
      expect(await textOf(page, words).inputValue()).toBe(first);
      await press(page, words.save);
      await shownVersion(page, 3);
      await collide(person, words);

      await page.goto('/app/templates');
      await page.getByText('dari tab lain').waitFor();
      await inspectBoth(person, named('list'));
      await page.getByRole('link', { name: /Pesanan siap/ }).click();
      await press(page, words.archive);
      await page.getByRole('alertdialog').getByRole('button', { name: words.archive }).click();
      await page.getByText(words.empty).waitFor();
      expect(errors).toEqual([]);
      await person.context.close();
    });
  },
);

test.skipIf(chromiumPath === null)('the next person at the same browser does not see the draft', async () => {
  const [one, two] = [await openPerson(browser, stack.baseUrl), await openPerson(browser, stack.baseUrl)];
  await signUp(one.page, 'Toko', 'draft-one@toko.example');
  await signUp(two.page, 'Warung', 'draft-two@toko.example');
  await two.context.close();
  const { page } = one;
  const openNew = async () => {
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
    await page.getByRole('link', { name: english.create }).click();
  };
  await openNew();
  await textOf(page, english).fill('rahasia');
  await openNew();
  expect(await textOf(page, english).inputValue()).toBe('rahasia');
  await page.getByRole('button', { name: /draft-one/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Email').fill('draft-two@toko.example');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /draft-two/ }).waitFor();
  await openNew();
  expect(await textOf(page, english).inputValue()).toBe('');
  await one.context.close();
});
