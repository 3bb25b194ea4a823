/** A shop chooses the hours and the limits of a broadcast, before the start and while it is paused. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { narrow } from './browser/inspect-page.js';
import { inspectAll } from './browser/three-widths.js';
import { newPhoneNumber } from './phones/phone.js';
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

async function openShop(email: string): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', email);
  await linkDevice(person.page, 'Toko Dago');
  return reopenPerson(browser, stack.baseUrl, person, { width: narrow, locale: 'id-ID' });
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const more = (page: Page) => page.getByText('Lainnya: jam, batas, kecepatan').click();

/** Night in all of Indonesia, for the page alone. */
const nightInIndonesia = new Date('2030-11-21T16:00:00.000Z');
/** Day in Jakarta, and night in the east. */
const eveningInJakarta = new Date('2030-11-21T12:04:00.000Z');

async function write(page: Page): Promise<void> {
  await page.goto('/app/broadcasts/new');
  await page.getByRole('radio', { name: 'Tempel nomor' }).check();
  const numbers = Array.from({ length: 4 }, newPhoneNumber);
  await page.getByLabel('Nomor', { exact: true }).fill(numbers.join('\n'));
  await press(page, 'Lanjut');
  await page.getByRole('textbox', { name: 'Teks', exact: true }).fill('{{pick:Halo|Hai}}, diskon 20 %');
  await press(page, 'Lanjut');
  await page.getByText('Pesan dikirim pukul 08.00–21.00 waktu penerima.').waitFor();
}

/** The hours are too short first, and then right. */
async function chooseRules(shop: Person): Promise<void> {
  const { page } = shop;
  await page.getByLabel('Nama siaran').fill('Diskon');
  await more(page);
  await page.getByRole('radio', { name: 'Jam pilihan sendiri' }).check();
  await page.getByLabel('Dari pukul').selectOption('09:00');
  await page.getByLabel('Sampai pukul').selectOption('09:30');
  await page.getByText('Paling sedikit satu jam').waitFor();
  expect(await page.getByRole('button', { name: 'Periksa', exact: true }).isDisabled()).toBe(true);
  await page.getByLabel('Sampai pukul').selectOption('17:00');
  await page.getByLabel('Promosi per orang dalam 24 jam').fill('2');
  await page.getByLabel('Persen yang gagal').fill('10');
  await page.getByRole('switch', { name: 'terlalu banyak yang minta berhenti' }).click();
  await page.getByLabel('Pesan per menit').fill('1');
  await page.getByText('Pesan dikirim pukul 09.00–17.00 waktu penerima.').waitFor();
  await inspectAll(shop, 'broadcast-rules');
  await press(page, 'Periksa');
  await page.getByText('4 orang akan menerima pesan').waitFor();
}

type Rules = { window: object | null; max_per_person_a_day: number | null; guards: object };

async function readRules(page: Page): Promise<Rules> {
  const answer = await page.request.get('/api/v1/broadcasts');
  const { data } = (await answer.json()) as { data: { broadcasts: [Rules] } };
  const { window, max_per_person_a_day, guards } = data.broadcasts[0];
  return { window, max_per_person_a_day, guards };
}

test.skipIf(chromiumPath === null)('a broadcast gets its own hours and limits, and any hour is confirmed', async () => {
  const shop = await openShop('jam@toko.example');
  const { page, errors } = shop;
  await write(page);
  await chooseRules(shop);
  const chosen = { max_per_person_a_day: 2, guards: { failed_percent: 10, opted_out_percent: null } };
  expect(await readRules(page)).toEqual({ window: { from: '09:00', to: '17:00', zone: 'recipient' }, ...chosen });
  await press(page, 'Lanjut');
  await page.getByText('Pesan dikirim pukul 09.00–17.00 waktu penerima.').waitFor();
  await page.clock.setFixedTime(nightInIndonesia);
  await page.reload();
  await page.getByText(/^Sekarang di luar jam kirim. Pesan dikirim mulai 22 Nov/).waitFor();
  await page.getByRole('button', { name: /^Kirim mulai 22 Nov/ }).waitFor();
  await inspectAll(shop, 'broadcast-night');

  await press(page, 'Kembali');
  await more(page);
  await page.getByRole('radio', { name: 'Kapan saja' }).check();
  await page.getByText('Ada yang berubah.').waitFor();
  await press(page, 'Periksa lagi');
  await press(page, 'Lanjut');
  await page.getByText('Pesan dikirim kapan saja, malam hari juga.').waitFor();
  expect(await page.getByText(/Pesan dikirim mulai/).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Kirim sekarang' }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /^Boleh juga dikirim malam hari/ }).check();
  await inspectAll(shop, 'broadcast-any-hour');
  await press(page, 'Kirim sekarang');

  await page.waitForURL(/\/broadcasts\/brc_/);
  await press(page, 'Jeda');
  await page.getByText('10 % gagal').waitFor();
  await press(page, 'Ubah');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Pukul 08.00–21.00 waktu penerima' }).check();
  await dialog.getByRole('switch', { name: 'terlalu banyak yang gagal' }).click();
  await inspectAll(shop, 'broadcast-edit-rules');
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await page.getByText('Pesan dikirim pukul 08.00–21.00 waktu penerima.').waitFor();
  await page.getByText('tidak pernah').waitFor();
  await inspectAll(shop, 'broadcast-facts');

  await press(page, 'Ubah');
  await dialog.getByRole('radio', { name: 'Kapan saja' }).check();
  expect(await dialog.getByRole('button', { name: 'Simpan' }).isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: /^Boleh juga dikirim malam hari/ }).check();
  await dialog.getByRole('button', { name: 'Simpan' }).click();
  await page.getByText('Pesan dikirim kapan saja, malam hari juga.').waitFor();
  const guards = { failed_percent: null, opted_out_percent: null };
  expect(await readRules(page)).toEqual({ ...chosen, window: null, guards });
  expect(errors).toEqual([]);
  await shop.context.close();
});

test.skipIf(chromiumPath === null)('a shop whose customers live in one zone need not wait for the others', async () => {
  const shop = await openShop('zona@toko.example');
  const { page, errors } = shop;
  await page.clock.setFixedTime(eveningInJakarta);
  await write(page);
  await page.getByText(/^Sekarang di luar jam kirim. Pesan dikirim mulai 22 Nov/).waitFor();
  await press(page, 'Periksa');
  await page.getByText('4 orang akan menerima pesan').waitFor();
  await press(page, 'Lanjut');
  await page.getByRole('button', { name: /^Kirim mulai 22 Nov/ }).waitFor();
  await page.getByText(/^Indonesia punya beberapa zona waktu/).waitFor();
  await inspectAll(shop, 'broadcast-zones');

  await page.getByLabel('Pelanggan saya di').selectOption('WIB (Jakarta)');
  await press(page, 'Pakai waktu ini');
  await page.getByText(/Langsung dimulai/).waitFor();
  expect(await page.getByText(/Pesan dikirim mulai/).count()).toBe(0);
  await page.getByRole('button', { name: 'Kirim sekarang' }).waitFor();

  await page.goto('/app/members');
  expect(await page.getByLabel('Tempat tinggal pelanggan').inputValue()).toBe('Asia/Jakarta');
  await inspectAll(shop, 'members-zone');
  expect(errors).toEqual([]);
  await shop.context.close();
});

test.skipIf(chromiumPath === null)('the page for signing up suggests the country of the browser', async () => {
  const context = await browser.newContext({ baseURL: stack.baseUrl, timezoneId: 'Europe/London', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto('/app/sign-up');
  const country = page.getByLabel('Country');
  await page.getByRole('option', { name: 'United Kingdom', selected: true }).waitFor({ state: 'attached' });
  await country.selectOption('MY');
  expect(await country.inputValue()).toBe('MY');
  await context.close();
});
