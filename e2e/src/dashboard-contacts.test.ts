/** A shop looks after its contacts on a phone: it adds one, finds some, puts them into a list and writes to them. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { narrow } from './browser/inspect-page.js';
import { inspectAll } from './browser/three-widths.js';
import { newPhoneNumber, writeFrom } from './phones/phone.js';
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

async function openShop(name: string): Promise<Person & { readonly number: string }> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `${name}@toko.example`);
  const deviceId = await linkDevice(person.page, 'Toko Dago');
  const answer = await person.page.request.get('/api/v1/devices', { headers: { 'X-Device-Id': deviceId } });
  const { data } = (await answer.json()) as { data: { devices: { phone_number: string }[] } };
  const viewed = await reopenPerson(browser, stack.baseUrl, person, { width: narrow, locale: 'id-ID' });
  return { ...viewed, number: data.devices[0]?.phone_number ?? '' };
}

const local = (phone: string) => `0${phone.slice(2, 5)}-${phone.slice(5, 9)} ${phone.slice(9)}`;

async function addContact(page: Page, phone: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Tambah kontak' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nomor', { exact: true }).fill(local(phone));
  await dialog.getByLabel(/^Nama\s*opsional$/).fill(name);
}

const row = (page: Page, name: string) => page.getByRole('list', { name: 'Kontak' }).getByRole('link', { name });

async function addBudi(shop: Person, phone: string): Promise<void> {
  const { page } = shop;
  await page.goto('/app/contacts');
  await page.getByRole('heading', { name: 'Kumpulkan pelanggan Anda di sini' }).waitFor();
  await inspectAll(shop, 'contacts-empty');
  await addContact(page, phone, 'Budi Santoso');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Daftar baru').fill('member');
  await dialog.getByRole('button', { name: 'Tambah', exact: true }).click();
  await dialog.getByRole('checkbox', { name: 'member' }).waitFor();
  await dialog.getByRole('button', { name: 'Tambah data' }).click();
  await dialog.getByLabel('Nama data 1').fill('kota');
  await dialog.getByLabel('Isi data 1').fill('Bandung');
  await dialog.getByRole('switch', { name: 'Sudah setuju menerima promosi' }).click();
  expect(await dialog.getByRole('button', { name: 'Tambah kontak' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Setujunya di mana?').fill('Formulir di kasir');
  await dialog.getByText('Bahasa dan zona waktu').click();
  await dialog.getByLabel('Zona waktu').selectOption('Asia/Makassar');
  await inspectAll(shop, 'contacts-add');
  await dialog.getByRole('button', { name: 'Tambah kontak' }).click();
  await row(page, 'Budi Santoso').waitFor();
}

test.skipIf(chromiumPath === null)(
  'a contact is added once, changed, found by what was written, and deleted',
  async () => {
    const shop = await openShop('kontak');
    const { page, errors } = shop;
    const phone = newPhoneNumber();
    await addBudi(shop, phone);

    // The same number, written in another way, is the same person.
    await addContact(page, phone, 'Budi lain');
    await page.getByRole('dialog').getByRole('button', { name: 'Tambah kontak' }).click();
    await page.getByText('Nomor ini sudah ada di kontak Anda: Budi Santoso.').waitFor();
    await inspectAll(shop, 'contacts-exists');
    await writeFrom(stack, phone, shop.number, 'STOP');
    await page.getByRole('dialog').getByRole('link', { name: 'Buka kontaknya' }).click();

    await page.getByRole('heading', { name: 'Budi Santoso' }).waitFor();
    await page.getByText('WITA (Makassar)').waitFor();
    await page.getByText('Tidak mau menerima promosi dari Anda').waitFor();
    await page.getByRole('link', { name: 'Lewat Toko Dago' }).waitFor();
    await inspectAll(shop, 'contact');
    await page.getByRole('button', { name: 'Ubah', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Nama\s*opsional$/).fill('Budi S.');
    await dialog.getByLabel('Isi data 1').fill('Solo');
    await dialog.getByRole('checkbox', { name: 'member' }).uncheck();
    await dialog.getByRole('button', { name: 'Simpan' }).click();
    await page.getByRole('heading', { name: 'Budi S.' }).waitFor();
    await page.getByText('Belum masuk daftar mana pun').waitFor();
    await page.getByRole('link', { name: 'Semua pesan ke nomor ini' }).click();
    await page.waitForURL((url) => url.pathname === '/app/messages');
    await page.goBack();
    await page.getByRole('link', { name: 'Tampilkan semua yang kota: Solo' }).click();
    await row(page, 'Budi S.').click();

    await page.getByRole('button', { name: 'Hapus', exact: true }).click();
    await inspectAll(shop, 'contact-delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus', exact: true }).click();
    await page.getByRole('heading', { name: 'Kumpulkan pelanggan Anda di sini' }).waitFor();
    await page.goto(`/app/suppressions?phone=${phone}`);
    await page.getByText('Minta berhenti').filter({ visible: true }).waitFor();
    expect(errors).toEqual([]);
    await shop.context.close();
  },
);

async function fill(page: Page): Promise<void> {
  for (let i = 0; i < 32; i++) {
    const data = {
      phone: newPhoneNumber(),
      name: `Orang ${i}`,
      attributes: { kota: i % 4 === 0 ? 'Solo' : 'Bandung', ukuran: 'L' },
      lists: ['member', ...(i % 2 === 0 ? ['Toko cabang Bandung Dago'] : [])],
      ...(i % 3 === 0 ? { consent: { source: 'Kasir' } } : {}),
    };
    const answer = await page.request.post('/api/v1/contacts', { data, headers: { Origin: stack.baseUrl } });
    expect(answer.status(), await answer.text()).toBe(200);
  }
}

test.skipIf(chromiumPath === null)('some contacts are found, put into a list, exported and written to', async () => {
  const shop = await openShop('saringan');
  const { page, errors } = shop;
  await fill(page);
  await page.goto('/app/contacts');
  await row(page, 'Orang 31').waitFor();
  await inspectAll(shop, 'contacts');
  await page.getByRole('button', { name: 'Muat lagi' }).click();
  await row(page, 'Orang 0').waitFor();

  await page.getByRole('button', { name: /^Toko cabang Bandung Dago\s*16$/ }).click();
  await row(page, 'Orang 31').waitFor({ state: 'detached' });
  await page.getByText('Filter lain').click();
  const attribute = page.getByLabel('Hanya yang punya data ini');
  await attribute.fill('kota');
  await page.getByRole('alert').getByText('Tulis nama datanya').waitFor();
  await attribute.fill('kota : Solo');
  await attribute.press('Enter');
  await page.getByLabel('Persetujuan promosi').selectOption('yes');
  await row(page, 'Orang 2').waitFor({ state: 'detached' });
  const names = page.getByRole('list', { name: 'Kontak' }).getByRole('listitem');
  await expect.poll(() => names.count()).toBe(3);
  await inspectAll(shop, 'contacts-filtered');

  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Ekspor CSV' }).click();
  const chunks = await (await (await saving).createReadStream()).toArray();
  expect(
    Buffer.concat(chunks as Buffer[])
      .toString()
      .trim()
      .split('\n'),
  ).toHaveLength(4);

  await page.getByRole('button', { name: 'Atur daftar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Daftar baru').fill('diundang');
  await dialog.getByLabel('Daftar baru').press('Enter');
  await inspectAll(shop, 'contacts-lists');
  await dialog.getByRole('button', { name: 'Masukkan ke daftar' }).click();
  await page.getByText('3 orang sudah diubah.').waitFor();
  await page.getByRole('button', { name: /^diundang\s*3$/ }).waitFor();

  await page.getByRole('link', { name: 'Kirim siaran' }).click();
  await page.getByRole('heading', { name: 'Siaran baru' }).waitFor();
  expect(await page.getByRole('radio', { name: 'Kontak saya' }).isChecked()).toBe(true);
  expect(await page.getByLabel('Daftar', { exact: true }).inputValue()).toBe('Toko cabang Bandung Dago');
  expect(await page.getByLabel('Isi datanya').inputValue()).toBe('Solo');
  expect(await page.getByRole('switch').isChecked()).toBe(true);
  await page.getByText('Orang 24').waitFor();
  await page.goBack();
  await names.first().waitFor();
  await page.getByLabel('Nama atau nomor').fill('tidak ada');
  await page.getByRole('search').getByRole('button', { name: 'Cari' }).click();
  await page.getByText('Tidak ada kontak yang cocok.').waitFor();
  await page.getByRole('button', { name: 'Tampilkan semua' }).click();
  await row(page, 'Orang 31').waitFor();
  expect(errors).toEqual([]);
  await shop.context.close();
});
