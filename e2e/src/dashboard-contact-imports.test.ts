/** A shop imports its customers from a phone, mends the columns, leaves, comes back, and reads what was refused. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson } from './browser/browser.js';
import { signUp } from './browser/dashboard-person.js';
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

async function openShop(name: string): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `${name}@toko.example`);
  return reopenPerson(browser, stack.baseUrl, person, { width: narrow, locale: 'id-ID' });
}

const choose = (page: Page, name: string, text: string) =>
  page
    .getByLabel(/^Pilih berkas/)
    .first()
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

const counts = (page: Page) => page.locator('main dl').first().locator('dd').allTextContents();

test.skipIf(chromiumPath === null)('a file becomes contacts of a list, and refused rows say why', async () => {
  const shop = await openShop('impor');
  const { page, errors } = shop;
  const [first, second, third] = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
  await page.goto('/app/contacts');
  await page.getByRole('link', { name: 'Impor berkas' }).click();
  const sample = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Unduh contoh berkas' }).click();
  expect((await sample).suggestedFilename()).toBe('contoh-kontak.csv');
  await choose(page, 'pelanggan.xlsx', 'PK\u0003\u0004rest');
  await page.getByText(/^Ini berkas Excel/).waitFor();
  await inspectAll(shop, 'import-workbook');

  const lines = ['Kontak;Nama lengkap;Kota;Catatan', `0${first.slice(2)};Budi;Bandung;ramah`];
  lines.push(
    `${second};Siti;Solo;`,
    `+${third};Wati;;`,
    '6,28123E+12;Joko;;',
    `0${first.slice(2)};Budi lagi;;`,
    'x;Tono;;',
  );
  await choose(page, 'pelanggan.csv', lines.join('\r\n'));
  await page.getByText('Apa isi tiap kolom?').waitFor();
  await page.getByLabel('Kolom Kontak berisi').selectOption('phone');
  await page.getByLabel('Kolom Nama lengkap berisi').selectOption('name');
  await page.getByLabel('Kolom Catatan berisi').selectOption('skip');
  await page.getByText('Ada nomor yang dirusak Excel').waitFor();
  await page.getByLabel('Daftar baru').fill('pelanggan');
  await page.getByRole('button', { name: 'Tambah', exact: true }).click();
  await page.getByRole('switch', { name: 'Sudah setuju menerima promosi' }).click();
  await page.getByText('Tulis dulu di mana mereka setuju').waitFor();
  await page.getByLabel('Setujunya di mana?').fill('Formulir di kasir');
  await inspectAll(shop, 'import-columns');
  await page.getByRole('button', { name: 'Impor', exact: true }).click();

  await page.getByText('Impor selesai').waitFor();
  expect(await counts(page)).toEqual(['3', '0', '0', '3']);
  await page.getByText('Sama dengan baris 2').waitFor();
  await page.getByText(/^Nomor hanya boleh berisi angka/).waitFor();
  await page.getByText('· Kontak: 6,28123E+12').waitFor();
  await inspectAll(shop, 'import-result');
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Unduh baris yang ditolak' }).click();
  const chunks = await (await (await saving).createReadStream()).toArray();
  const refused = Buffer.concat(chunks as Buffer[])
    .toString()
    .split('\r\n');
  expect((await saving).suggestedFilename()).toBe('baris-ditolak.csv');
  expect(refused[0]).toBe('Kontak;Nama lengkap;Kota;Catatan;Alasan');
  expect(refused[2]).toMatch(/^0\d+;Budi lagi;;;Sama dengan baris 2$/);

  // The result is still there for somebody who comes back.
  await page.getByRole('link', { name: 'Lihat kontak' }).click();
  await page.getByRole('button', { name: /^pelanggan\s*3$/ }).waitFor();
  await page.getByRole('list', { name: 'Kontak' }).getByRole('link', { name: 'Budi' }).click();
  await page.getByRole('link', { name: 'Tampilkan semua yang Kota: Bandung' }).waitFor();
  await page.getByText('Formulir di kasir').waitFor();
  expect(await page.getByText('ramah').count()).toBe(0);
  await page.goto('/app/contacts/import');
  await page.getByText('Impor selesai').waitFor();
  await page.getByRole('button', { name: 'Impor berkas lain' }).click();
  await page.getByText('Pilih berkas CSV').waitFor();
  expect(errors).toEqual([]);
  await shop.context.close();
});

/** Numbers that are possible, so that the import takes a while. */
const manyRows = (count: number): string =>
  ['HP,Nama', ...Array.from({ length: count }, (_, i) => `08123${String(i).padStart(7, '0')},Orang ${i}`)].join('\n');

test.skipIf(chromiumPath === null)('a long import goes on while the person is away, and can be stopped', async () => {
  const shop = await openShop('impor-panjang');
  const { page, errors } = shop;
  await page.goto('/app/contacts/import');
  await choose(page, 'banyak.csv', manyRows(300_000));
  await page.getByRole('button', { name: 'Impor', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Sedang mengimpor' }).waitFor();
  await page.getByText('Halaman ini boleh ditinggal').waitFor();
  await inspectAll(shop, 'import-running');
  await page.goto('/app/contacts');
  await page.goto('/app/contacts/import');
  await page.getByRole('button', { name: 'Hentikan impor' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hentikan impor' }).click();
  await page.getByText('Impor dihentikan').waitFor();
  await page.getByText('Kontak yang sudah masuk tetap ada.').waitFor();
  const [added = ''] = await counts(page);
  expect(Number(added.replaceAll('.', ''))).toBeLessThan(300_000);
  await inspectAll(shop, 'import-stopped');
  expect(errors).toEqual([]);
  await shop.context.close();
});
