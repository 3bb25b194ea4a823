/** People opt out by a word and in again, and a shop looks after the list. */
import { usualOptOut } from '@kurir/contracts';
import { waitUntil } from '@kurir/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { inspect, inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { newPhoneNumber, readInbox, writeFrom } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const english = {
  scheme: 'light',
  width: wide,
  locale: 'en-GB',
  empty: 'Nobody has opted out',
  wrote: 'Asked to stop',
  more: 'Priority, category, time, own reference',
  to: 'To',
  message: 'Message',
  category: 'Category',
  promotion: 'Promotion',
  send: 'Send',
  refused: 'This person does not want such messages from you',
  why: 'See why',
  getsAll: 'This person gets everything from you.',
  progress: 'Delivery status',
  words: 'Words and replies',
  stopWords: 'Words that opt out',
  both: '“mulai” cannot opt out and in.',
  save: 'Save',
  saved: 'Saved. The next message',
  import: 'Import a list',
  paste: 'Or paste the numbers',
  refusedLines: 'Lines without a phone number: 1',
  add: 'Add numbers: 2',
  imported: 'New on the list: 2.',
  done: 'Done',
  remove: /^Allow promotions again: \+62/,
  confirm: 'Allow promotions again',
  removed: 'Done. This person',
  export: 'Export as CSV',
} as const;

const indonesian = {
  scheme: 'dark',
  width: narrow,
  locale: 'id-ID',
  empty: 'Belum ada yang menolak promosi',
  wrote: 'Minta berhenti',
  more: 'Prioritas, kategori, waktu, referensi sendiri',
  to: 'Kepada',
  message: 'Pesan',
  category: 'Kategori',
  promotion: 'Promosi',
  send: 'Kirim',
  refused: 'Orang ini tidak mau menerima pesan seperti ini',
  why: 'Lihat alasannya',
  getsAll: 'Orang ini masih menerima semua pesan Anda.',
  progress: 'Status pengiriman',
  words: 'Kata dan balasan',
  stopWords: 'Kata untuk berhenti',
  both: '“mulai” tidak bisa untuk berhenti sekaligus ikut lagi.',
  save: 'Simpan',
  saved: 'Tersimpan. Berlaku',
  import: 'Impor daftar',
  paste: 'Atau tempel nomornya',
  refusedLines: 'Baris tanpa nomor telepon: 1',
  add: 'Tambah nomor: 2',
  imported: '2 orang baru masuk daftar.',
  done: 'Selesai',
  remove: /^Izinkan promosi lagi: \+62/,
  confirm: 'Izinkan promosi lagi',
  removed: 'Beres. Orang ini',
  export: 'Ekspor CSV',
} as const;

/** A small phone. */
const smallest = 360;

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

type Shop = Person & { readonly number: string };

async function openShop(words: Words): Promise<Shop> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `stop-${words.locale}@toko.example`);
  const deviceId = await linkDevice(person.page, 'Toko');
  const answer = await person.page.request.get('/api/v1/devices', { headers: { 'X-Device-Id': deviceId } });
  const { data } = (await answer.json()) as { data: { devices: { phone_number: string }[] } };
  const viewed = await reopenPerson(browser, stack.baseUrl, person, words);
  return { ...viewed, number: data.devices[0]?.phone_number ?? '' };
}

/** The page shows a number in groups. On a phone the list has cards, and else rows. */
const rowOf = (page: Page, phone: string) =>
  page
    .locator('main li, main tr')
    .filter({ hasText: `+62 812 ${phone.slice(5, 9)} ${phone.slice(9)}` })
    .filter({ visible: true });

const hasGot = (phone: string, text: string) =>
  waitUntil(async () => (await readInbox(stack, phone)).some((entry) => entry.text === text), {
    what: `the phone has: ${text}`,
  });

/** Somewhere it is day now, so promotions go out at once. */
const zoneOfDay = (): string | undefined =>
  Intl.supportedValuesOf('timeZone').find((timeZone) => {
    const hour = Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format());
    return hour >= 10 && hour < 18;
  });

async function knowZone(page: Page, phone: string): Promise<void> {
  const data = { phone, time_zone: zoneOfDay() };
  const answer = await page.request.post('/api/v1/contacts', { data, headers: { Origin: stack.baseUrl } });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function sendPromotion(page: Page, words: Words, phone: string): Promise<void> {
  await page.goto('/app/send');
  await page.getByLabel(words.to, { exact: true }).fill(phone);
  await page.getByLabel(words.message, { exact: true }).fill('Diskon 20 % minggu ini!');
  await page.getByText(words.more).click();
  await page.getByLabel(words.category, { exact: true }).selectOption({ label: words.promotion });
  await page.getByRole('button', { name: words.send, exact: true }).click();
}

const named = (name: string, words: Words) => `suppressions-${name}-${words.locale}`;

/** A word is in both lists, so nothing is saved. Then the shop takes another one. */
async function changeWords(shop: Shop, words: Words): Promise<void> {
  const { page } = shop;
  await page.getByRole('tab', { name: words.words }).click();
  const field = page.getByLabel(words.stopWords, { exact: true });
  await field.fill('STOP\nmulai');
  await page.getByText(words.both).waitFor();
  expect(await page.getByRole('button', { name: words.save, exact: true }).isDisabled()).toBe(true);
  await inspectBoth(shop, named('mistake', words));
  await field.fill('Ogah dong\nSTOP');
  // The preview begins with the first word.
  await page.getByRole('listitem').filter({ hasText: 'Ogah dong' }).waitFor();
  await page.getByRole('button', { name: words.save, exact: true }).click();
  await page.getByText(words.saved).waitFor();
  await inspectBoth(shop, named('words', words));
}

async function importNumbers(shop: Shop, words: Words, phones: readonly string[]): Promise<void> {
  const { page } = shop;
  await page.getByRole('button', { name: words.import }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.paste).fill(`nomor;nama\n${phones.join(';Budi\n')}\nbukan nomor 5\n${phones[0]}`);
  await dialog.getByText(words.refusedLines).waitFor();
  await inspect(shop, `${named('import', words)}-${words.width}`);
  await dialog.getByRole('button', { name: words.add }).click();
  await dialog.getByText(words.imported).waitFor();
  await dialog.getByRole('button', { name: words.done }).click();
}

describe.skipIf(chromiumPath === null).each([english, indonesian])(
  `opting out (skipped: ${whyNoBrowser}) in $locale`,
  (words) => {
    test('a person writes STOP, gets no promotion, and comes back with MULAI', async () => {
      const shop = await openShop(words);
      const { page, number, errors } = shop;
      const phone = newPhoneNumber();
      await page.goto('/app/suppressions');
      await page.getByText(words.empty).waitFor();
      await inspectBoth(shop, named('empty', words));

      // Nobody reloads the page.
      await writeFrom(stack, phone, number, 'Stop! 🙏');
      await rowOf(page, phone).getByText(words.wrote).waitFor();
      await hasGot(phone, usualOptOut('ID').stopReply ?? '');
      await inspectBoth(shop, named('list', words));
      await resize(page, smallest);
      await inspect(shop, `${named('list', words)}-${smallest}`);
      await resize(page, words.width);

      await sendPromotion(page, words, phone);
      await page.getByText(words.refused).waitFor();
      await inspect(shop, `${named('refused', words)}-${words.width}`);
      await page.getByRole('link', { name: words.why }).click();
      await rowOf(page, phone).getByText(words.wrote).waitFor();
      await writeFrom(stack, phone, number, 'mulai');
      await page.getByText(words.getsAll).waitFor();
      await hasGot(phone, usualOptOut('ID').startReply ?? '');
      await knowZone(page, phone);
      await sendPromotion(page, words, phone);
      await page.getByText(words.progress).waitFor();
      await hasGot(phone, 'Diskon 20 % minggu ini!');
      expect(errors).toEqual([]);
      await shop.context.close();
    });

    test('a shop takes in a list, removes a person, saves the list as a file and changes the words', async () => {
      const person = await openPerson(browser, stack.baseUrl);
      await signUp(person.page, 'Toko', `list-${words.locale}@toko.example`);
      const shop = { ...(await reopenPerson(browser, stack.baseUrl, person, words)), number: '' };
      const { page, errors } = shop;
      const phones = [newPhoneNumber(), newPhoneNumber()] as const;
      await page.goto('/app/suppressions');
      await importNumbers(shop, words, phones);
      await rowOf(page, phones[1]).getByRole('button', { name: words.remove }).click();
      await inspect(shop, `${named('remove', words)}-${words.width}`);
      await page.getByRole('alertdialog').getByRole('button', { name: words.confirm, exact: true }).click();
      await page.getByText(words.removed).waitFor();
      await rowOf(page, phones[1]).waitFor({ state: 'detached' });
      const saving = page.waitForEvent('download');
      await page.getByRole('button', { name: words.export }).click();
      const chunks = await (await (await saving).createReadStream()).toArray();
      expect(Buffer.concat(chunks as Buffer[]).toString()).toContain(`\r\n${phones[0]},,marketing,import,`);
      await changeWords(shop, words);
      expect(errors).toEqual([]);
      await shop.context.close();
    });
  },
);
