/** A small shop answers three people on a phone's screen. */
import type { Browser, Page } from 'playwright-core';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { inspect, inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { newPhoneNumber, readInbox, readTyping, writeFrom } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

const english = {
  scheme: 'light',
  width: narrow,
  locale: 'en-GB',
  empty: 'Nobody has written yet',
  write: 'Write a message',
  send: 'Send',
  reply: 'Reply',
  replyTo: 'Reply to',
  back: 'All conversations',
  unread: '1 unread',
  onlyUnread: 'Unread',
  allRead: 'No conversation is unread.',
} as const;

const indonesian = {
  scheme: 'dark',
  width: wide,
  locale: 'id-ID',
  empty: 'Belum ada yang menulis',
  write: 'Tulis pesan',
  send: 'Kirim',
  reply: 'Balas',
  replyTo: 'Membalas',
  back: 'Semua percakapan',
  unread: '1 belum dibaca',
  onlyUnread: 'Belum dibaca',
  allRead: 'Semua percakapan sudah dibaca.',
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

type Shop = Person & { readonly number: string; readonly deviceId: string };

/** Returns the shop's phone screen, and the number of its device. */
async function openShop(words: Words): Promise<Shop> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `chat-${words.locale}@toko.example`);
  const deviceId = await linkDevice(person.page, 'Toko');
  const answer = await person.page.request.get('/api/v1/devices', { headers: { 'X-Device-Id': deviceId } });
  const { data } = (await answer.json()) as { data: { devices: { phone_number: string }[] } };
  const viewed = await reopenPerson(browser, stack.baseUrl, person, words);
  return { ...viewed, deviceId, number: data.devices[0]?.phone_number ?? '' };
}

/** The page shows a number in groups. */
const rowOf = (page: Page, phone: string) =>
  page.getByRole('listitem').filter({ hasText: `+62 812 ${phone.slice(5, 9)} ${phone.slice(9)}` });

async function answer(page: Page, words: Words, text: string): Promise<void> {
  await page.getByRole('textbox', { name: words.write }).fill(text);
  await page.getByRole('button', { name: words.send, exact: true }).click();
}

/** Sends without a conversation, as the page *Send* does. */
async function send({ page, deviceId }: Shop, phone: string, message: string): Promise<void> {
  const headers = { Origin: stack.baseUrl, 'X-Device-Id': deviceId };
  const answer = await page.request.post('/api/v1/messages/send', {
    data: { phone_destination: phone, message },
    headers,
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

async function saveContact({ page }: Shop, phone: string, name: string): Promise<void> {
  const data = { phone: `+${phone}`, name };
  const answer = await page.request.post('/api/v1/contacts', { data, headers: { Origin: stack.baseUrl } });
  expect(answer.status(), await answer.text()).toBe(200);
}

const hasGot = (phone: string, text: string) =>
  waitUntil(async () => (await readInbox(stack, phone)).some((entry) => entry.text === text), {
    what: `the phone has: ${text}`,
  });

describe.skipIf(chromiumPath === null).each([english, indonesian])(
  `conversations (skipped: ${whyNoBrowser}) in $locale`,
  (words) => {
    test('a shop answers three people, and a fourth message appears while the chat is open', async () => {
      const shop = await openShop(words);
      const { page, errors, number } = shop;
      const named = (name: string) => `conversations-${name}-${words.locale}`;
      await page.goto('/app/conversations');
      await page.getByText(words.empty).waitFor();
      await inspectBoth(shop, named('empty'));

      // Nobody reloads the page.
      const people = [newPhoneNumber(), newPhoneNumber(), newPhoneNumber()];
      const wishes = ['Halo, apakah buka hari Minggu?', 'Pesanan 7781 sampai mana ya?', 'Ada ukuran XL? 🙏'];
      const asked = people[0] ?? '';
      await send(shop, asked, 'Pesanan Anda sudah siap.');
      await hasGot(asked, 'Pesanan Anda sudah siap.');
      await saveContact(shop, asked, 'Ibu Siti');
      for (const [at, phone] of people.entries()) await writeFrom(stack, phone, number, wishes[at] ?? '');
      for (const phone of people) await rowOf(page, phone).getByText(words.unread).waitFor();
      await rowOf(page, asked).getByText('Ibu Siti').waitFor();
      await rowOf(page, asked)
        .getByText(wishes[0] ?? '')
        .waitFor();
      await inspectBoth(shop, named('list'));
      await page.getByRole('searchbox').fill('siti');
      await rowOf(page, people[1] ?? '').waitFor({ state: 'detached' });
      await rowOf(page, asked).waitFor();
      await page.getByRole('searchbox').fill('');
      await rowOf(page, people[1] ?? '').waitFor();

      for (const [at, phone] of people.entries()) {
        await rowOf(page, phone).getByRole('link').click();
        await page
          .getByRole('log')
          .getByText(wishes[at] ?? '')
          .waitFor();
        if (phone === asked) await page.getByRole('heading', { name: 'Ibu Siti' }).waitFor();
        if (phone === asked) await page.getByRole('log').getByText('Pesanan Anda sudah siap.').waitFor();
        const text = `Siap kak, jawaban ${at + 1} 😊\nTerima kasih!`;
        await answer(page, words, text);
        await page
          .getByRole('log')
          .getByText(`jawaban ${at + 1}`)
          .waitFor();
        await hasGot(phone, text);
        if (words.width === narrow) await page.getByRole('link', { name: words.back }).click();
      }
      if (words.width === wide) await page.goto('/app/conversations');
      await page.getByLabel(/^(Show|Tampilkan)$/).selectOption({ label: words.onlyUnread });
      await page.getByText(words.allRead).waitFor();
      await page.getByLabel(/^(Show|Tampilkan)$/).selectOption({ index: 0 });

      // One writes again while the shop looks at the chat, sees that it types, and gets a reply to that message.
      const phone = people[1] ?? '';
      await rowOf(page, phone).getByRole('link').click();
      await writeFrom(stack, phone, number, 'Saya di rumah sampai jam 5.');
      await page.getByRole('log').getByText('sampai jam 5').waitFor();
      await page.getByRole('textbox', { name: words.write }).pressSequentially('Baik');
      await waitUntil(async () => JSON.stringify(await readTyping(stack, phone)).includes(number), {
        what: 'the phone shows that the shop types',
      });
      await page.getByRole('listitem').filter({ hasText: 'sampai jam 5' }).last().hover();
      await page
        .getByRole('listitem')
        .filter({ hasText: 'sampai jam 5' })
        .last()
        .getByRole('button', { name: words.reply })
        .click();
      await page.getByText(words.replyTo, { exact: true }).waitFor();
      await inspect(shop, `${named('reply')}-${words.width}`);
      await answer(page, words, 'Baik, kurir sampai jam 4.');
      await hasGot(phone, 'Baik, kurir sampai jam 4.');
      await page.getByText(words.replyTo, { exact: true }).waitFor({ state: 'detached' });
      await inspectBoth(shop, named('chat'));
      await page.goto('/app/conversations?unread=true');
      await page.getByText(words.allRead).waitFor();
      expect(errors).toEqual([]);
      await shop.context.close();
    });
  },
);
