/** A person sends a broadcast from a phone, from a file to the last receipt, in both languages. */
import { readFile } from 'node:fs/promises';
import { waitUntil } from '@kurir/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BroadcastWords as Words, english, indonesian, smallest } from './browser/broadcast-words.js';
import {
  chromiumPath,
  openBrowser,
  openPerson,
  type Person,
  reopenPerson,
  resize,
  whyNoBrowser,
} from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { inspect, wide } from './browser/inspect-page.js';
import { settle } from './browser/page-findings.js';
import { newPhoneNumber, readInbox } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

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

async function openShop(words: Words): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `broadcasts-${words.locale}@toko.example`);
  await linkDevice(person.page, 'Toko');
  return reopenPerson(browser, stack.baseUrl, person, words);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const step = (page: Page, words: Words) => press(page, words.next);

async function inspectHere(person: Person, words: Words, name: string): Promise<void> {
  for (const width of [words.width === wide ? smallest : wide, words.width]) {
    await resize(person.page, width);
    await settle(person.page);
    await inspect(person, `broadcasts-${name}-${words.locale}-${width}`);
  }
}

const hasGot = (phone: string, text: RegExp) =>
  waitUntil(async () => (await readInbox(stack, phone)).some((entry) => text.test(entry.text)), {
    what: `the phone has: ${text}`,
  });

type File = { name: string; mimeType: string; buffer: Buffer };
const fileOf = (name: string, text: string): File => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

/** A number that stands twice, and a row without a town. */
function listFor([one, two]: [string, string]): File {
  const rows = [`Budi;0${one.slice(2)};Bandung`, `;+${two};Solo`, `Budi;${one};Bandung`, `Siti;${newPhoneNumber()};`];
  return fileOf('pelanggan.csv', ['\ufeffNama;No. HP;Kota', ...rows].join('\r\n'));
}

const choose = (page: Page, file: File) => page.locator('input[type=file]').setInputFiles(file);

async function chooseFile(person: Person, words: Words, list: File): Promise<void> {
  const { page } = person;
  await choose(page, fileOf('pelanggan.xlsx', 'PK\u0003\u0004'));
  await page.getByText(words.workbook).waitFor();
  await inspectHere(person, words, 'workbook');
  await choose(page, list);
  expect(await page.getByLabel(words.columnOf).inputValue()).toBe('No. HP');
  await inspectHere(person, words, 'file');
  await step(page, words);
}

/** Taps the columns into the text. A reload keeps it. */
async function writeMessage(person: Person, words: Words): Promise<void> {
  const { page } = person;
  const text = () => page.getByRole('textbox', { name: words.text, exact: true });
  expect(await page.getByRole('switch', { name: words.footer }).isChecked()).toBe(true);
  // Promotions wait for the day, and the test must not.
  await page.getByRole('radio', { name: words.info }).check();
  await page.getByRole('switch', { name: words.footer }).click();
  await text().fill('Promo untuk ');
  await text().press('End');
  await page.getByRole('button', { name: 'Nama', exact: true }).click();
  await text().press('End');
  await page.keyboard.type(' di ');
  await page.getByRole('button', { name: 'Kota', exact: true }).click();
  const written = await text().inputValue();
  expect(written).toMatch(/^Promo untuk \{\{Nama\|(Kak|there)\}\} di \{\{Kota\}\}$/);
  await page.getByTestId('rendered').getByText('Promo untuk Budi di Bandung').waitFor();
  await page.getByTestId('rendered').getByText(words.optOut).waitFor();
  await press(page, words.nextPerson);
  await page
    .getByTestId('rendered')
    .getByText(/^Promo untuk (Kak|there) di Solo/)
    .waitFor();
  await press(page, words.nextPerson);
  await press(page, words.nextPerson);
  await page.getByText(words.missing).waitFor();
  await inspectHere(person, words, 'message');
  await page.reload();
  expect(await text().inputValue()).toBe(written);
  await step(page, words);
}

async function changeText(page: Page, words: Words, typed: string): Promise<void> {
  await press(page, words.back);
  await page.getByRole('textbox', { name: words.text, exact: true }).press('Control+Home');
  await page.keyboard.type(typed);
  await step(page, words);
  await page.getByText(words.changed).waitFor();
  expect(await page.getByRole('button', { name: words.next }).isDisabled()).toBe(true);
  await press(page, words.again);
}

/** Checks, goes back and changes the text, and has to check again. The page was reloaded, so it has no file any more. */
async function check(person: Person, words: Words, list: File): Promise<void> {
  const { page } = person;
  await press(page, words.check);
  await page.getByText(words.sendable).waitFor();
  await page.getByText(words.duplicate).waitFor();
  await page.getByText(words.noValue).waitFor();
  await inspectHere(person, words, 'check');
  await changeText(page, words, 'Halo! ');
  await page.getByText(words.fileGone).waitFor();
  await press(page, words.whom);
  await choose(page, list);
  await page.getByLabel(words.columnOf).waitFor();
  await step(page, words);
  await step(page, words);
  await press(page, words.again);
  await page.getByText(/^Halo! Promo untuk Budi di Bandung/).waitFor();
  await changeText(page, words, 'Hai. ');
  await page.getByText(/^Hai. Halo! Promo untuk Budi di Bandung/).waitFor();
  await step(page, words);
}

/** The own phone gets what the first person of the list would get. */
async function tryIt(person: Person, words: Words): Promise<void> {
  const { page } = person;
  const own = newPhoneNumber();
  await page.getByText(words.test).click();
  await page.getByLabel(words.testNumber).fill(`0${own.slice(2)}`);
  await press(page, words.testAction);
  await page.getByText(words.tested).waitFor();
  await hasGot(own, /^Hai. Halo! Promo untuk Budi di Bandung/);
  await inspectHere(person, words, 'send');
}

async function download(page: Page, words: Words): Promise<string> {
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: words.download }).click();
  return readFile(await (await begun).path(), 'utf8');
}

/** Follows the broadcast to its end, and looks at who got nothing. */
async function follow(person: Person, words: Words): Promise<void> {
  const { page } = person;
  await page.waitForURL(/\/broadcasts\/brc_/);
  await page.getByText(words.finished, { exact: true }).first().waitFor();
  await page.getByText(words.sent).waitFor();
  // Receipts come after the broadcast has ended.
  const arrived = page
    .locator('#people span')
    .filter({ hasText: /^(Delivered|Read|Tersampaikan|Dibaca)$/ })
    .filter({ visible: true });
  await arrived.nth(1).waitFor();
  await page.getByRole('link', { name: words.skipped }).click();
  await page.waitForURL(/outcome=skipped/);
  await page.getByText(words.noValue).filter({ visible: true }).nth(1).waitFor();
  await inspectHere(person, words, 'finished');
  const lines = (await download(page, words)).trim().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(
    lines.filter((line) => /,\d{10,},(Sent|Delivered|Read|Terkirim|Tersampaikan|Dibaca),,/.test(line)),
  ).toHaveLength(2);
}

/** Makes a slow broadcast to several people, so that there is something to pause. */
async function sendSlowly(person: Person, words: Words): Promise<void> {
  const { page } = person;
  await page.goto('/app/broadcasts/new');
  await page.getByRole('radio', { name: words.pasteKind }).check();
  const numbers = Array.from({ length: 5 }, newPhoneNumber);
  await page.getByLabel(words.paste, { exact: true }).fill([...numbers, 'bukan nomor'].join('\n'));
  await page.getByText(words.read).waitFor();
  await page.getByText(words.unread).waitFor();
  await inspectHere(person, words, 'paste');
  await step(page, words);
  await page.getByRole('radio', { name: words.info }).check();
  await page.getByRole('textbox', { name: words.text, exact: true }).fill('{{pick:Halo|Hai}}');
  await step(page, words);
  await page.getByLabel(words.broadcastName).fill('Pelan');
  await page.getByText(words.speed, { exact: true }).click();
  await page.getByLabel(words.pace).fill('1');
  await press(page, words.check);
  await page.getByRole('button', { name: words.next, disabled: false }).click();
  await press(page, words.start);
  await page.waitForURL(/\/broadcasts\/brc_/);
}

async function control(person: Person, words: Words): Promise<void> {
  const { page } = person;
  await press(page, words.pause);
  await page.getByText(words.paused, { exact: true }).waitFor();
  await inspectHere(person, words, 'paused');
  await press(page, words.edit);
  await page.getByRole('dialog').getByLabel(words.name, { exact: true }).fill('Pelan sekali');
  await inspectHere(person, words, 'edit');
  await page.getByRole('dialog').getByRole('button', { name: words.save }).click();
  await page.getByRole('heading', { name: 'Pelan sekali' }).waitFor();
  await press(page, words.resume);
  await press(page, words.cancel);
  await page.getByRole('alertdialog').getByRole('button', { name: words.cancelAction }).click();
  await page.getByText(words.cancelled, { exact: true }).first().waitFor();
}

describe.skipIf(chromiumPath === null).each([indonesian, english])(
  `broadcasts (skipped: ${whyNoBrowser}) in $locale`,
  (words) => {
    test('a person sends one, follows it, and pauses, changes and cancels another', async () => {
      const person = await openShop(words);
      const { page, errors } = person;
      const phones: [string, string] = [newPhoneNumber(), newPhoneNumber()];
      await page.goto('/app/broadcasts');
      await page.getByText(words.empty).waitFor();
      await inspectHere(person, words, 'empty');
      await page.getByRole('link', { name: words.create }).click();
      const list = listFor(phones);
      await chooseFile(person, words, list);
      await writeMessage(person, words);
      await check(person, words, list);
      await tryIt(person, words);
      await press(page, words.start);
      await follow(person, words);
      await hasGot(phones[0], /^Hai. Halo! Promo untuk Budi di Bandung\n\n/);
      await hasGot(phones[1], /^Hai. Halo! Promo untuk (Kak|there) di Solo\n\n/);
      await sendSlowly(person, words);
      await control(person, words);
      await page.goto('/app/broadcasts');
      await page.getByText('Pelan sekali').waitFor();
      await inspectHere(person, words, 'list');
      expect(errors).toEqual([]);
      await person.context.close();
    });
  },
);
