/** The documentation as the gateway serves it: every page, every link, its weight, its policy, and its search. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, resize, takePicture, whyNoBrowser } from './browser/browser.js';
import { allViolations, spillingParts } from './browser/page-findings.js';
import { runAdmin } from './customers/customer.js';
import { crawl } from './docs-site/crawl.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
beforeAll(async () => {
  stack = await startStack();
  if (chromiumPath !== null) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test('every link leads to a page, an anchor or a file, and every page has a title and a heading', async () => {
  const { pages, problems } = await crawl(stack.baseUrl, ['/docs/', '/docs/id/']);
  expect(problems).toEqual([]);
  const built = (await (await fetch(`${stack.baseUrl}/docs/hashmap.json`)).json()) as Record<string, string>;
  // Names of files have dots in place of slashes.
  const known = new Set([...pages.keys()].map((address) => address.slice('/docs/'.length)));
  const names = Object.keys(built).map((file) =>
    file
      .replace(/\.md$/, '')
      .replace(/(^|_)index$/, '$1')
      .replaceAll('_', '/'),
  );
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  const titles = [...pages.values()].map(({ title, language }) => `${language} ${title}`);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('addresses of folders get their slash, and unknown addresses a page for people', async () => {
  const moved = await fetch(`${stack.baseUrl}/docs`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/']);
  const missing = await fetch(`${stack.baseUrl}/docs/nothing`, { headers: { accept: 'text/html' } });
  expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(missing.headers.get('content-security-policy')).toContain("script-src 'self';");
  const program = await fetch(`${stack.baseUrl}/docs/nothing`);
  expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
});

/** Runs in the page before anything else: counts what the policy refuses. */
const watchPolicy = `window.refused = [];
  addEventListener('securitypolicyviolation', (event) =>
    window.refused.push(event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile));`;

const refusedOn = (page: Page) => page.evaluate<string[]>('window.refused');

const languageOf = async (context: BrowserContext): Promise<string | undefined> =>
  (await context.cookies()).find(({ name }) => name === 'kurir_docs_language')?.value;

const bytesOn = (page: Page) =>
  page.evaluate<number>(`[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .reduce((sum, file) => sum + file.transferSize, 0)`);

const samples = [
  '/docs/',
  '/docs/quick-start',
  '/docs/broadcasts',
  '/docs/operations',
  '/docs/reference',
  '/docs/reference/send-message',
  '/docs/changelog',
  '/docs/id/',
  '/docs/id/quick-start',
  '/docs/id/broadcasts',
  '/docs/shop-owners',
  '/docs/id/shop-owners',
  '/docs/id/contacts',
  '/docs/id/templates',
  '/docs/id/conversations',
  '/docs/id/opting-out',
  '/docs/id/moving-in',
  '/docs/errors',
];
const widths = [320, 390, 768, 1280, 1920];

describe.skipIf(chromiumPath === null)(`the documentation in a browser (skipped: ${whyNoBrowser})`, () => {
  test('the first page is small, and the policy of the pages refuses nothing', async () => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl);
    await page.addInitScript(watchPolicy);
    await page.goto('/docs/', { waitUntil: 'networkidle' });
    const bytes = await bytesOn(page);
    console.info(`/docs/: ${bytes} bytes`);
    expect(bytes).toBeLessThan(300_000);
    await page.goto('/docs/reference/send-message', { waitUntil: 'networkidle' });
    expect(await bytesOn(page)).toBeLessThan(300_000);
    await page.goto('/docs/');
    await page.getByRole('navigation').getByRole('link', { name: 'Broadcasts' }).click();
    await page.getByRole('heading', { name: 'Broadcasts', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/broadcasts');
    expect(await refusedOn(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('a page leads to itself in the other language, and the search reads both', async () => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl, { locale: 'id-ID' });
    await page.goto('/docs/codes', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('link', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('heading', { name: 'Kode sekali pakai', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/id/codes');
    expect(await page.locator('html').getAttribute('lang')).toBe('id');
    await page.getByRole('button', { name: 'Cari' }).click();
    await page.getByRole('searchbox').fill('perpanjangan');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/id\/renewal/);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('an Indonesian phone reads Indonesian, and a reader who chose English stays in English', async () => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl, { locale: 'id-ID', width: 390 });
    await page.goto('/docs', { waitUntil: 'networkidle' });
    expect(new URL(page.url()).pathname).toBe('/docs/id/');
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('button', { name: 'Bahasa Indonesia' }).click();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Kurir documentation', level: 1 }).waitFor();
    expect(await languageOf(context)).toBe('en');
    await page.goto('/docs', { waitUntil: 'networkidle' });
    expect(new URL(page.url()).pathname).toBe('/docs/');
    await page.goto('/docs/id/?lang=id');
    await expect.poll(() => languageOf(context)).toBe('id');
    await page.goto('/docs/', { waitUntil: 'networkidle' });
    expect(new URL(page.url()).pathname).toBe('/docs/id/');
    expect(errors).toEqual([]);
    await context.close();
  });

  test('the search finds a page by its words', async () => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl);
    await page.addInitScript(watchPolicy);
    await page.goto('/docs/');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('Standard Webhooks');
    await page.locator('.result .excerpt mark').first().waitFor();
    const first = page.getByRole('option').first();
    expect(await first.locator('.excerpt mark').first().innerText()).toMatch(/standard|webhooks/i);
    // The page and the heading are whole words.
    expect(await first.locator('.result').getAttribute('aria-label')).toMatch(/^Webhooks > /);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/webhooks/);
    expect(await refusedOn(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('a chosen language shows the samples of all pages in it', async () => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl);
    await page.goto('/docs/quick-start', { waitUntil: 'networkidle' });
    await page.getByText('Python', { exact: true }).nth(1).click();
    await page.getByText('kurir.send_message(').waitFor();
    await page.getByText('pip install').waitFor();
    await page.goto('/docs/reference/list-messages');
    await page.getByText('kurir.list_messages(').waitFor();
    await page.goto('/docs/bots');
    await page.getByText('kurir.send_message(').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  test('the form of a page sends a message in the sandbox, signed in the browser', async () => {
    const customer = await stack.createCustomer();
    const created = await runAdmin(stack.env, [
      'key',
      'create',
      customer.accountId,
      '--name',
      'docs',
      '--mode',
      'test',
    ]);
    const { api_key: apiKey = '', api_secret: apiSecret = '' } = created;
    const { page, errors, context } = await openPerson(browser, stack.baseUrl);
    await page.addInitScript(watchPolicy);
    await page.goto('/docs/reference/send-message');
    const form = page.getByRole('form', { name: 'Try it' });
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Give a test key').waitFor();
    await form.getByLabel('Test key').fill(customer.apiKey);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('This form takes no live key').waitFor();
    await form.getByLabel('Test key').fill(apiKey);
    await form.getByLabel('Secret').fill(apiSecret);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Status 200').waitFor();
    expect(await form.getByLabel('Device').inputValue()).toBe(customer.deviceId);
    const { data } = JSON.parse(await form.getByLabel('The answer').innerText()) as { data: { job_id: string } };
    await customer.client.waitForJob(data.job_id, { until: 'delivered' });
    expect(await allViolations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('Status 200').waitFor();
    await form.getByText(data.job_id).waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'Get message', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Get message', level: 1 }).waitFor();
    expect(await form.getByLabel('Test key').inputValue()).toBe(apiKey);
    await form.getByLabel('GET, path and query').fill(`/api/v1/messages/${data.job_id}`);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.getByText('"delivered"').first().waitFor();
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(apiKey);
    expect(stored).not.toContain(apiSecret);
    await page.reload();
    expect(await form.getByLabel('Test key').inputValue()).toBe('');
    expect(await refusedOn(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });

  test.each(['light', 'dark'] as const)('no page has a fault at any width, %s', async (scheme) => {
    const { page, errors, context } = await openPerson(browser, stack.baseUrl, { scheme });
    await page.addInitScript(watchPolicy);
    for (const address of samples) {
      await page.goto(address, { waitUntil: 'networkidle' });
      for (const width of widths) {
        await resize(page, width);
        expect(await spillingParts(page), `${address} ${width}`).toEqual([]);
      }
      // axe takes seconds of a processor, so each theme has one width.
      await resize(page, scheme === 'light' ? Math.max(...widths) : Math.min(...widths));
      expect(await allViolations(page), address).toEqual([]);
      await takePicture(page, `docs-${scheme}${address.replaceAll('/', '-')}`);
      expect(await refusedOn(page)).toEqual([]);
    }
    expect(errors).toEqual([]);
    await context.close();
  });
});
