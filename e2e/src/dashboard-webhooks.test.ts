/** The pages of webhooks and events, in both languages and at both widths: a person makes, reads, checks and deletes. */
import type { Browser, Page } from 'playwright-core';
import { openDatabase } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, reopenPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, sendTest, signUp } from './browser/dashboard-person.js';
import { inspectBoth, narrow, wide } from './browser/inspect-page.js';
import { type Stack, startStack } from './stack/stack.js';

const english = {
  scheme: 'light',
  width: wide,
  locale: 'en-GB',
  create: 'Create a webhook',
  address: 'Address',
  wrongAddress: 'Use a public https address without user name',
  copied: 'I have copied it',
  tabs: ['Attempts', 'Out of tries', 'Send again', 'Why does my check fail?', 'Settings'],
  refused: 'Nothing listens at this address',
  headers: 'Headers',
  check: 'Check it',
  unknown: 'There is no event with this webhook-id',
  count: 'Count the events',
  counted: /\d+ events are in this span/,
  ping: 'Send a test',
  disable: 'Disable',
  disabled: 'Somebody disabled this webhook.',
  delete: 'Delete the webhook',
  empty: 'Stop asking for each job',
  live: 'New events appear here at once.',
} as const;

const indonesian = {
  scheme: 'dark',
  width: narrow,
  locale: 'id-ID',
  create: 'Buat webhook',
  address: 'Alamat',
  wrongAddress: 'Pakai alamat https publik, tanpa nama pengguna',
  copied: 'Sudah saya salin',
  tabs: ['Percobaan', 'Kehabisan percobaan', 'Kirim ulang', 'Kenapa ditolak program saya?', 'Pengaturan'],
  refused: 'Tidak ada yang mendengarkan',
  headers: 'Header',
  check: 'Periksa',
  unknown: 'Tidak ada peristiwa dengan webhook-id ini',
  count: 'Hitung dulu',
  counted: /Ada \d+ peristiwa/,
  ping: 'Kirim tes',
  disable: 'Nonaktifkan',
  disabled: 'Webhook ini dinonaktifkan seseorang.',
  delete: 'Hapus webhook',
  empty: 'Tidak perlu lagi mengecek satu per satu',
  live: 'Peristiwa baru langsung muncul di sini.',
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

/** Writes what a worker writes after an address that nobody serves. */
async function writeFailure(webhookId: string): Promise<void> {
  const database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 1 });
  await database.pool.query(
    `WITH newest AS (
       SELECT e.* FROM events e JOIN webhooks w ON w.account_id = e.account_id
       WHERE w.id = $1 AND e.kind = 'message.delivered' ORDER BY e.xid DESC LIMIT 1),
     listed AS (
       INSERT INTO webhook_retries (webhook_id, generation, xid, seq, event_at, subject_id, sequence, tries, failed_at)
       SELECT $1, generation, xid, seq, at, subject_id, sequence, 10, now() FROM newest)
     INSERT INTO webhook_attempts (webhook_id, generation, xid, seq, event_at, event_id, type, tries, outcome, error, duration_ms)
     SELECT $1, generation, xid, seq, at, 'evt_' || subject_id || '_' || sequence || '_1', kind, 10, 'failed',
       'connection_refused', 12 FROM newest`,
    [webhookId],
  );
  await database.close();
}

async function openAccount(words: Words): Promise<Person> {
  const person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko', `webhooks-${words.locale}@toko.example`);
  await linkDevice(person.page, 'Toko');
  await sendTest(person.page, '6281234567890', 'Pesanan 7781 sedang diantar.');
  await person.page.getByText('Delivered', { exact: true }).first().waitFor();
  return reopenPerson(browser, stack.baseUrl, person, words);
}

async function createWebhook({ page }: Person, words: Words): Promise<string> {
  await page.getByRole('button', { name: words.create }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.address).fill('https://user:password@example.com/kurir');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByRole('alert').getByText(words.wrongAddress).waitFor();
  // Nothing listens there, should a worker try.
  await dialog.getByLabel(words.address).fill('https://webhook.invalid/kurir');
  await dialog.getByRole('button', { name: words.create }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: words.copied }).click();
  await page.waitForURL(/\/webhooks\/whk_/);
  await dialog.waitFor({ state: 'detached' });
  expect((await page.content()).includes('whsec_')).toBe(false);
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** The page of events shows a ping as soon as the other tab has sent it. */
async function watchFeed({ page, context, errors }: Person, words: Words, name: string): Promise<void> {
  const feed = await context.newPage();
  await feed.goto('/app/events');
  await feed.getByText(words.live).waitFor();
  await feed.locator('summary').filter({ hasText: 'message.delivered' }).waitFor();
  await page.getByRole('button', { name: words.ping, exact: true }).click();
  await feed.locator('summary').filter({ hasText: 'webhook.ping' }).click();
  await feed.getByText('"type": "webhook.ping"').waitFor();
  await inspectBoth({ page: feed, context, errors }, name);
  await feed.goto('/app/events?type=message.delivered');
  await feed.locator('summary').filter({ hasText: 'message.delivered' }).waitFor();
  expect(await feed.locator('summary').filter({ hasText: 'webhook.ping' }).count()).toBe(0);
  await feed.close();
}

const open = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

describe.skipIf(chromiumPath === null).each([english, indonesian])(
  `webhooks and events (skipped: ${whyNoBrowser}) in $locale`,
  (words) => {
    test('a person makes a webhook, reads why it fails, checks, counts, disables and deletes', async () => {
      const person = await openAccount(words);
      const { page, errors } = person;
      const named = (name: string) => `webhooks-${name}-${words.locale}`;
      await page.goto('/app/webhooks');
      await page.getByText(words.empty).waitFor();
      await inspectBoth(person, named('empty'));
      const webhookId = await createWebhook(person, words);
      await writeFailure(webhookId);
      const [attempts, failed, again, check, settings] = words.tabs;

      await page.reload();
      await page.locator('summary').filter({ hasText: 'connection_refused' }).first().click();
      await page.getByText(words.refused).waitFor();
      await inspectBoth(person, named('attempts'));
      await open(page, failed);
      await page.getByText('message.delivered').first().waitFor();
      await inspectBoth(person, named('failed'));

      await open(page, check);
      await page
        .getByLabel(words.headers)
        .fill('webhook-id: evt_none\nwebhook-timestamp: 1763690000\nwebhook-signature: v1,AAAA');
      await page.getByRole('button', { name: words.check }).click();
      await page.getByText(words.unknown).waitFor();
      await inspectBoth(person, named('check'));

      await open(page, again);
      await page.getByRole('button', { name: words.count }).click();
      await page.getByText(words.counted).waitFor();
      await inspectBoth(person, named('replay'));
      await open(page, settings);
      await inspectBoth(person, named('settings'));

      await watchFeed(person, words, named('events'));
      await page.getByRole('button', { name: words.disable }).click();
      await page.getByText(words.disabled).waitFor();
      await open(page, attempts);
      await open(page, settings);
      await page.getByRole('button', { name: words.delete }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: words.delete }).click();
      await page.getByText(words.empty).waitFor();
      expect(errors).toEqual([]);
      await person.context.close();
    });
  },
);
