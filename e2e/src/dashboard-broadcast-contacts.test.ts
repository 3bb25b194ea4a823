/** A shop sends a template to a list of its contacts, leaves before the start, and finds the draft again. */
import { waitUntil } from '@kurir/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { inspectBoth, narrow } from './browser/inspect-page.js';
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

async function post(page: Page, path: string, data: object): Promise<void> {
  const answer = await page.request.post(path, { data, headers: { Origin: stack.baseUrl } });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function openShop(members: readonly string[]): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  const { page } = person;
  await signUp(page, 'Toko', 'broadcast-contacts@toko.example');
  await linkDevice(page, 'Toko');
  for (const [i, phone] of members.entries())
    await post(page, '/api/v1/contacts', {
      phone,
      name: `Orang ${i}`,
      attributes: { kota: 'Solo' },
      lists: ['member'],
    });
  await post(page, '/api/v1/contacts', { phone: newPhoneNumber(), name: 'Bukan member' });
  await post(page, '/api/v1/templates', { name: 'Kabar', text: 'Halo {{name|Kak}} di {{kota}}' });
  return reopenPerson(browser, stack.baseUrl, person, { width: narrow, locale: 'id-ID' });
}

const next = (page: Page) => page.getByRole('button', { name: 'Lanjut', exact: true }).click();

test.skipIf(chromiumPath === null)('contacts of a list get a template, and the draft waits', async () => {
  const members = [newPhoneNumber(), newPhoneNumber()];
  const person = await openShop(members);
  const { page, errors } = person;
  await page.goto('/app/broadcasts/new');
  await page.getByRole('radio', { name: 'Kontak saya' }).check();
  await page.getByLabel('Daftar', { exact: true }).selectOption('member');
  await page.getByText('Bukan member').waitFor({ state: 'detached' });
  await page.getByText('Orang 1').waitFor();
  await inspectBoth(person, 'broadcasts-contacts');
  await next(page);
  await page.getByRole('radio', { name: /^Informasi/ }).check();
  await page.getByRole('radio', { name: 'Pakai templat' }).check();
  await page.getByRole('radio', { name: /^Kabar/ }).check();
  await page
    .getByTestId('rendered')
    .getByText(/^Halo Orang \d di Solo/)
    .waitFor();
  await inspectBoth(person, 'broadcasts-template');
  await next(page);
  await page.getByLabel('Nama siaran').fill('Kabar member');
  await page.getByRole('button', { name: 'Periksa', exact: true }).click();
  await page.getByText('2 orang akan menerima pesan').waitFor();

  await page.goto('/app/broadcasts');
  await page.getByRole('link', { name: /Kabar member/ }).click();
  await page.getByText('2 orang akan menerima pesan').waitFor();
  await inspectBoth(person, 'broadcasts-ready');
  await page.getByRole('button', { name: 'Kirim sekarang' }).click();
  await page.getByText('dari 2 terkirim').waitFor();
  // Receipts come after the broadcast has ended.
  const people = page.locator('#people');
  await people
    .locator('span:visible', { hasText: /^(Tersampaikan|Dibaca)$/ })
    .nth(1)
    .waitFor();
  await people
    .getByText(/^Orang \d$/)
    .filter({ visible: true })
    .nth(1)
    .waitFor();
  for (const phone of members)
    await waitUntil(
      async () => (await readInbox(stack, phone)).some(({ text }) => /^Halo Orang \d di Solo/.test(text)),
      {
        what: 'each member has the text',
      },
    );
  expect(errors).toEqual([]);
  await person.context.close();
});
