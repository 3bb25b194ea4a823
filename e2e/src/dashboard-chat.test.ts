/** A chat on a small phone when something goes wrong, and for people who may only read. */
import type { Browser, Page } from 'playwright-core';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { inspect } from './browser/inspect-page.js';
import { mailedLink } from './browser/mailbox.js';
import { newPhoneNumber, readInbox, writeFrom } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const smallPhone = 360;
const siti = newPhoneNumber();

let stack: Stack;
let browser: Browser;
let owner: Person;
let shopNumber: string;

async function ask<T>({ context }: Person, path: string): Promise<T> {
  const answer = await context.request.get(path);
  // The schemas of the contracts have checked the shape.
  return ((await answer.json()) as { data: T }).data;
}

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  owner = await openPerson(browser, stack.baseUrl, { width: smallPhone });
  await signUp(owner.page, 'Warung Kopi', 'warung@toko.example');
  await linkDevice(owner.page, 'Kasir');
  const { devices } = await ask<{ devices: { phone_number: string }[] }>(owner, '/api/v1/devices');
  shopNumber = devices[0]?.phone_number ?? '';
  await writeFrom(stack, siti, shopNumber, 'Bisa antar?');
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** The phone may show the message before the test looks. */
const arrived = /^(Delivered|Read)$/;

const unread = async () =>
  (await ask<{ conversations: unknown[] }>(owner, '/api/v1/conversations?unread=true')).conversations.length;
const field = (page: Page) => page.getByRole('textbox', { name: 'Write a message' });
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const chat = (page: Page) => page.getByRole('log');
const bubble = (page: Page, text: string) => chat(page).getByRole('listitem').filter({ hasText: text });

async function openChat(page: Page): Promise<void> {
  await page.goto('/app/conversations');
  await page
    .locator('main')
    .getByRole('link', { name: /\+62 812/ })
    .click();
  await chat(page).getByText('Bisa antar?').waitFor();
}

describe.skipIf(chromiumPath === null)(`a chat (skipped: ${whyNoBrowser})`, () => {
  test('the menu counts unread conversations, and a page in the background reads none', async () => {
    const { page } = owner;
    await page.goto('/app/');
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Conversations 1 unread' }).waitFor();
    await openChat(page);
    await waitUntil(async () => (await unread()) === 0, { what: 'the first message is read' });
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await show('hidden');
    await writeFrom(stack, siti, shopNumber, 'Pagar hijau');
    await chat(page).getByText('Pagar hijau').waitFor();
    expect(await unread()).toBe(1);
    await show('visible');
    await waitUntil(async () => (await unread()) === 0, { what: 'the second message is read' });
  });

  test('an answer that did not go out waits in the chat, also after it was closed, and goes out once', async () => {
    const { page, context } = owner;
    const text = 'Sebentar lagi sampai 👍';
    await openChat(page);
    await context.setOffline(true);
    await field(page).fill(text);
    await sendButton(page).click();
    await page.getByText('No connection to Kurir.').waitFor();
    await inspect(owner, 'chat-not-sent');
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    await context.setOffline(false);
    await page
      .locator('main')
      .getByRole('link', { name: /\+62 812/ })
      .click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await bubble(page, text).getByText(arrived).waitFor({ state: 'attached' });
    expect(await bubble(page, text).count()).toBe(1);
    expect((await readInbox(stack, siti)).filter((entry) => entry.text === text)).toHaveLength(1);
  });

  test('a text is refused before it is sent if it is too long, and is not sent if it is empty', async () => {
    const { page } = owner;
    await openChat(page);
    await field(page).fill('🙏'.repeat(4_096));
    expect(await sendButton(page).isEnabled()).toBe(true);
    await field(page).fill('a'.repeat(4_097));
    await page.getByText('4,097 of at most 4,096 characters').waitFor();
    expect(await sendButton(page).isDisabled()).toBe(true);
    await inspect(owner, 'chat-too-long');
    await field(page).fill('  ');
    await field(page).press('Enter');
    expect(await sendButton(page).isDisabled()).toBe(true);
    await field(page).fill('');
    await field(page).pressSequentially('satu');
    await field(page).press('Shift+Enter');
    await field(page).pressSequentially('والسلام');
    await field(page).press('Enter');
    await bubble(page, 'والسلام').getByText(arrived).waitFor({ state: 'attached' });
    const texts = (await readInbox(stack, siti)).map((entry) => entry.text);
    expect(texts.at(-1)).toBe('satu\nوالسلام');
  });

  test('a one-time code is shown as such, without its text', async () => {
    const { page } = owner;
    const { devices } = await ask<{ devices: { device_id: string }[] }>(owner, '/api/v1/devices');
    await openChat(page);
    await page.evaluate(
      `fetch('/api/v1/messages/send', { method: 'POST', headers: { 'Content-Type': 'application/json',
        'X-Device-Id': '${devices[0]?.device_id}' }, body: JSON.stringify({ phone_destination: '${siti}',
        message: 'Kode 493021', priority: 'otp' }) })`,
    );
    await chat(page).getByText('One-time code. Its text is never shown.').waitFor();
    expect(await page.getByText('493021').count()).toBe(0);
    await inspect(owner, 'chat-small');
  });

  test('a viewer reads along, answers nothing and marks nothing as read', async () => {
    const viewer = await openPerson(browser, stack.baseUrl, { width: smallPhone });
    await signUp(viewer.page, 'Tamu', 'tamu@toko.example');
    await owner.page.goto('/app/members');
    await owner.page.getByRole('button', { name: 'Invite somebody' }).click();
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('tamu@toko.example');
    await dialog.getByRole('combobox').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await owner.page.getByText('Invitation sent to').waitFor();
    const { page } = viewer;
    await page.goto(await mailedLink(owner.page, 'tamu@toko.example'));
    await page.getByRole('button', { name: /^Join/ }).click();
    await page.waitForURL((url) => url.pathname.replace(/\/$/, '') === '/app');
    await writeFrom(stack, siti, shopNumber, 'Satu lagi, Bu');
    await openChat(page);
    await chat(page).getByText('Satu lagi, Bu').waitFor();
    await page.getByText('You can look. Agents and developers of the account can answer.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    await inspect(viewer, 'chat-viewer');
    expect(await unread()).toBe(1);
    await viewer.context.close();
  });
});
