/** A member who knows keys leaves: an owner sees the keys, rotates one and revokes the others in the same step. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { mailedLink, openMail } from './browser/mailbox.js';
import { inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
let owner: Person;
let member: Person;
beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  [owner, member] = [await openPerson(browser, stack.baseUrl), await openPerson(browser, stack.baseUrl)];
  await signUp(owner.page, 'Toko Siti', 'siti@toko.example');
  await signUp(member.page, 'Budi', 'budi@toko.example');
  await join();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Lets the member join the account of the owner, by the link of the mail. */
async function join(): Promise<void> {
  const { page } = owner;
  await page.goto('/app/members');
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await page.getByLabel('Email').fill('budi@toko.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('Invitation sent to').waitFor();
  await member.page.goto(await mailedLink(page, 'budi@toko.example'));
  await member.page.getByRole('button', { name: /^Join/ }).click();
  await member.page.waitForURL((url) => url.pathname.replace(/\/$/, '') === '/app');
}

/** The member creates a key. Only an owner can make one that does everything. */
async function createKey(name: string): Promise<void> {
  const { page } = member;
  await page.goto('/app/keys?create=true');
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByText('Only an owner can make a key that does everything').waitFor();
  expect(await dialog.getByLabel('Everything').isDisabled()).toBe(true);
  expect(await dialog.getByText('account:renew').count()).toBe(0);
  if (name === 'Kasir') await inspectBoth(member, 'key-create-developer');
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('button', { name: 'I have copied it' }).click();
}

describe.skipIf(chromiumPath === null)(`members and their keys (skipped: ${whyNoBrowser})`, () => {
  test.each([
    ['en-GB', 'Only owner', 'Remove'],
    ['id-ID', 'Satu-satunya pemilik', 'Keluarkan'],
  ])('the only owner is marked and cannot be removed, in %s', async (locale, mark, remove) => {
    const state = await owner.context.storageState();
    const person = await openPerson(browser, stack.baseUrl, { locale });
    await person.context.addCookies(state.cookies);
    const { page } = person;
    await page.goto('/app/members');
    await page.getByRole('button', { name: `${remove}: Budi` }).waitFor();
    await page.getByText(mark, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: `${remove}: Toko Siti` }).count()).toBe(0);
    await person.context.close();
  });

  test.each([
    ['en-GB', 'light', wide],
    ['id-ID', 'dark', narrow],
  ] as const)('a lower role asks first, in %s', async (locale, scheme, width) => {
    const state = await owner.context.storageState();
    const person = await openPerson(browser, stack.baseUrl, { locale, scheme, width });
    await person.context.addCookies(state.cookies);
    await person.page.goto('/app/members');
    await person.page.locator('main li select').first().selectOption('viewer');
    await person.page.getByRole('dialog').getByRole('button').last().waitFor();
    await inspectBoth(person, `member-lower-${locale}`);
    await person.context.close();
  });

  test('the country of local numbers is chosen by its name', async () => {
    const { page } = owner;
    await page.goto('/app/members');
    const country = page.getByLabel('Country of your numbers');
    await country.selectOption({ label: 'Malaysia' });
    await page.getByText('Country saved').waitFor();
    await page.reload();
    expect(await country.inputValue()).toBe('MY');
    await inspectBoth(owner, 'account-country');
  });

  test('a removed member leaves no key behind that they know', async () => {
    const { page } = owner;
    for (const name of ['Kasir', 'Gudang']) await createKey(name);
    await page.goto('/app/keys');
    await page.getByText('Made by Budi').first().waitFor();
    await page.goto('/app/members');
    const dialog = page.getByRole('dialog', { name: 'Remove Budi?' });
    const open = () => page.getByRole('button', { name: 'Remove: Budi' }).click();
    await open();
    await dialog.getByRole('checkbox', { name: 'Revoke these 2 keys' }).waitFor();
    await inspectBoth(owner, 'member-remove');
    await dialog.getByRole('button', { name: 'Rotate: Kasir' }).click();
    const rotate = page.getByRole('dialog', { name: 'New secret for Kasir' });
    await rotate.getByLabel('The old secret works for').selectOption({ label: '1 hour' });
    await rotate.getByRole('button', { name: 'Make the new secret' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.getByText('The secret that they saw ends').waitFor();
    await dialog.getByRole('button', { name: 'Revoke: Gudang' }).click();
    await dialog.getByRole('checkbox', { name: 'Revoke this key' }).check();
    await inspectBoth(owner, 'member-remove-rotated');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Budi removed').waitFor();
    await page.goto('/app/keys');
    await page.getByText('Revoked (2)').click();
    await page.getByText('Made by Budi (removed)').first().waitFor();
    await inspectBoth(owner, 'keys-of-the-removed');
  });

  test('the owner gets a mail about a linked number, and the audit log shows its end', async () => {
    const { page } = owner;
    await linkDevice(page, 'Kasir');
    await openMail(page, 'A number was linked on Kurir');
    expect(await page.getByRole('article').textContent()).toContain('Asked for by: "Toko Siti"');
    await page.goto('/app/audit');
    const row = page
      .getByRole('region', { name: 'Audit log' })
      .getByRole('row', { name: /linked a phone to a device/ });
    expect(await row.textContent()).toMatch(/· …\d{4}/);
    await inspectBoth(owner, 'audit-linked');
  });
});
