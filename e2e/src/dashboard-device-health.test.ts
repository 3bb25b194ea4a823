/** The health of a device in a real browser: the word in the list, the reasons and the picture of the days. */
import { openDatabase } from '@kurir/database';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, reopenPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { inspectBoth, look, narrow } from './browser/inspect-page.js';
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

/** Gives the number a month of good days, and four bad ones. The days are old enough that no worker counts them anew. */
async function giveDays(deviceId: string): Promise<void> {
  const database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 1 });
  await database.pool.query('UPDATE device_health SET counted_from = NULL WHERE device_id = $1', [deviceId]);
  await database.pool.query(
    `INSERT INTO device_days (device_id, day, sent, delivered, failed, refused, answers, opted_out)
     SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, 100, CASE WHEN n < 7 THEN 60 ELSE 95 END,
       CASE WHEN n < 7 THEN 20 ELSE 1 END, CASE WHEN n < 7 THEN 5 ELSE 0 END, 12, CASE WHEN n < 7 THEN 2 ELSE 0 END
     FROM generate_series(3, 29) n`,
    [deviceId],
  );
  await database.close();
}

describe.skipIf(chromiumPath === null)(`health of a device (skipped: ${whyNoBrowser})`, () => {
  test('nothing is known of a new number, and a bad week makes it at risk, with reasons and numbers in both languages', async () => {
    const person = await openPerson(browser, stack.baseUrl);
    const { page } = person;
    await signUp(page, 'Toko Sehat', 'sehat@toko.example');
    const deviceId = await linkDevice(page, 'Kasir');
    await look(person, `devices/${deviceId}`, 'device-health-new');
    await page.getByText('Not counted yet.').waitFor();
    expect(await page.getByText('Good', { exact: true }).count()).toBe(0);

    await giveDays(deviceId);
    await page.goto('/app/devices');
    await page.getByText('At risk', { exact: true }).waitFor();
    await page.getByText('Kasir').click();
    await page.getByText('20 % of its messages failed or were refused').waitFor();
    await page.getByText('35 points fewer of its messages reach a phone').waitFor();
    await page.getByText('2 % of its recipients opted out').waitFor();
    const bars = page.getByRole('img', { name: /^A bar for each of the last 30 days/ });
    expect(await bars.locator('g').count()).toBe(30);
    await page.getByText('As a table').click();
    expect(await page.getByRole('table', { name: 'The last 30 days' }).getByRole('row').count()).toBe(31);
    await inspectBoth(person, 'device-health');

    const indonesian = { scheme: 'dark', width: narrow, locale: 'id-ID' } as const;
    const reader = await reopenPerson(browser, stack.baseUrl, person, indonesian);
    await look(reader, `devices/${deviceId}`, 'device-health-id');
    await reader.page.getByText('Berisiko', { exact: true }).waitFor();
    await reader.page.getByText('20 % pesannya gagal atau ditolak').waitFor();
    expect(reader.errors).toEqual([]);
    await reader.context.close();
  });
});
