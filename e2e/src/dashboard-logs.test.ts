/** A developer finds out what a program asked and who changed what: the pages of requests and of the audit log. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signRequest } from '@kurir/signing';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { signUp } from './browser/dashboard-person.js';
import { inspectBoth } from './browser/inspect-page.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
let person: Person;
let key: { id: string; secret: string };

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  person = await openPerson(browser, stack.baseUrl);
  await signUp(person.page, 'Toko Siti', 'siti@toko.example');
  const headers = { Origin: stack.baseUrl };
  const made = await person.page.request.post('/app/api/keys', { data: { name: 'Kasir', mode: 'live' }, headers });
  const { data } = (await made.json()) as { data: { key: { api_key: string }; api_secret: string } };
  key = { id: data.key.api_key, secret: data.api_secret };
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

let last = Date.now();

/** Asks as a program does. Returns the id of the request. */
async function ask(target: string, secret = key.secret): Promise<string> {
  last = Math.max(Date.now(), last + 1);
  const timestamp = String(last);
  const answer = await fetch(stack.baseUrl + target, {
    headers: {
      'X-API-Key': key.id,
      'X-Timestamp': timestamp,
      'X-Signature': signRequest({ method: 'GET', target, timestamp, signedHeaders: undefined, body: '', secret }),
    },
  });
  await answer.arrayBuffer();
  return answer.headers.get('X-Request-Id') ?? 'none';
}

describe.skipIf(chromiumPath === null)(`logs (skipped: ${whyNoBrowser})`, () => {
  test('a request of a program appears while the page is open, and filters find it', async () => {
    const { page } = person;
    await page.goto('/app/requests');
    await page.getByText('No requests in the last days').waitFor();
    const good = await ask('/api/v1/account/info');
    const table = page.getByRole('region', { name: 'Requests' });
    await table.getByRole('row', { name: /GET \/api\/v1\/account\/info/ }).waitFor();
    await ask('/api/v1/messages/msg_nobody');
    await ask('/api/v1/account/info', 'not the secret');
    await table.getByText('JOB_NOT_FOUND').waitFor();
    await table.getByText('INVALID_SIGNATURE').waitFor();
    await inspectBoth(person, 'requests');
    await page.getByLabel('Status', { exact: true }).selectOption('2xx');
    await table.getByText('JOB_NOT_FOUND').waitFor({ state: 'detached' });
    await page
      .getByRole('button', { name: 'Clear filters' })
      .or(page.getByRole('link', { name: 'Clear filters' }))
      .click();
    await page.getByLabel('Request ID', { exact: true }).first().fill(good);
    await expect.poll(() => table.getByRole('row').count(), { timeout: 60_000 }).toBe(2);
    expect(await page.getByRole('main').textContent()).not.toContain('msg_nobody');
  });

  test('the menu of a key leads to its requests', async () => {
    const { page } = person;
    await page.goto('/app/keys');
    await page.getByRole('button', { name: 'Actions for Kasir' }).click();
    await page.getByRole('menuitem', { name: 'Requests' }).click();
    await page.waitForURL(/requests\?key=kk_live_/);
    await page.getByRole('region', { name: 'Requests' }).getByText('JOB_NOT_FOUND').waitFor();
  });

  test('the audit log is filtered and exported with the filter', async () => {
    const { page } = person;
    await page.goto('/app/audit');
    const table = page.getByRole('region', { name: 'Audit log' });
    await table.getByRole('row', { name: /created an API key.*127\.0\.0\.1/ }).waitFor();
    await page.getByLabel('Area', { exact: true }).selectOption('devices');
    await page.getByText('Nothing in the log fits these filters.').waitFor();
    await page.getByLabel('Area', { exact: true }).selectOption('keys');
    await table.getByRole('row', { name: /created an API key/ }).waitFor();
    await inspectBoth(person, 'audit-filtered');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('kurir-audit.csv');
    await page.getByLabel('Area', { exact: true }).selectOption('account');
    await table.getByRole('row', { name: /exported the audit log/ }).waitFor();
  });
});
