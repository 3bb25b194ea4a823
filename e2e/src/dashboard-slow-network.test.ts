/** The dashboard on a slow network, and on one that loses requests or goes away. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, type Person, whyNoBrowser } from './browser/browser.js';
import { linkDevice, signUp } from './browser/dashboard-person.js';
import { narrow } from './browser/inspect-page.js';
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

const bitsPerSecond = 1_600_000;
const roundTripMs = 150;

/** Gives the person a mobile network. */
async function slowDown({ context, page }: Person): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  const throughput = bitsPerSecond / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: roundTripMs,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
}

type Load = { readonly bytes: number; readonly requests: number; readonly paintedMs: number };

/** Runs in the page. */
const readLoad = `(() => {
  const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    bytes: files.reduce((sum, file) => sum + file.transferSize, 0),
    requests: files.length,
    paintedMs: Math.round(paint?.startTime ?? -1),
  };
})()`;

/** Opens a page, and says when its frame and its heading were there. The figures of the documentation come from here. */
async function measure(page: Page, path: string, heading: string): Promise<Load> {
  const startedAt = performance.now();
  const since = () => Math.round(performance.now() - startedAt);
  await page.goto(path, { waitUntil: 'commit' });
  await page.getByRole('main').waitFor();
  const frameMs = since();
  await page.getByRole('heading', { name: heading }).first().waitFor();
  const load = { ...(await page.evaluate<Load>(readLoad)), frameMs, headingMs: since() };
  console.info(`${path}: ${JSON.stringify(load)}`);
  return load;
}

describe.skipIf(chromiumPath === null)(`a slow network (skipped: ${whyNoBrowser})`, () => {
  test('paints at once, then shows the page', async () => {
    const person = await openPerson(browser, stack.baseUrl, { width: narrow });
    await slowDown(person);
    const { paintedMs, bytes } = await measure(person.page, '/app/sign-in', 'Sign in');
    expect(paintedMs).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(260_000);
    await person.context.close();

    const known = await openPerson(browser, stack.baseUrl, { width: narrow });
    await signUp(known.page, 'Toko Lambat', 'lambat@toko.example');
    await slowDown(known);
    expect((await measure(known.page, '/app', 'Welcome to Kurir')).bytes).toBeLessThan(300_000);
    expect((await measure(known.page, '/app/messages', 'Messages')).bytes).toBeLessThan(300_000);
    await known.context.close();
  });

  test('a file that is lost once is fetched again', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    let lost = 0;
    await page.route(/\/assets\/index-.*\.js$/, (route) => (lost++ === 0 ? route.abort() : route.continue()));
    await page.goto('/app/sign-in');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(lost).toBe(2);
    await context.close();
  });

  test('a file that never comes is said, in the language of the browser, with a button', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl, { locale: 'id-ID' });
    await page.route(/\/assets\/index-.*\.js$/, (route) => route.abort());
    await page.goto('/app/sign-in');
    await page.getByText('Halaman belum termuat. Periksa koneksi Anda.').waitFor();
    await page.unroute(/\/assets\/index-.*\.js$/);
    await page.getByRole('button', { name: 'Coba lagi' }).click();
    await page.getByRole('heading', { name: 'Masuk' }).waitFor();
    expect(page.url()).not.toContain('reloads');
    await context.close();
  });

  test('without JavaScript, the page says so', async () => {
    const context = await browser.newContext({ baseURL: stack.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/app/sign-in');
    expect(await page.locator('noscript p[lang=en]').innerText()).toContain('Kurir needs JavaScript.');
    await context.close();
  });

  test('a phone that keeps the page finds its icons', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    await page.goto('/app/sign-in');
    const hrefOf = async (rel: string) => (await page.locator(`link[rel="${rel}"]`).getAttribute('href')) ?? '';
    const manifest = (await (await page.request.get(await hrefOf('manifest'))).json()) as { icons: { src: string }[] };
    const icons = manifest.icons.map(({ src }) => `/app/${src}`);
    const all = [...icons, await hrefOf('apple-touch-icon'), '/favicon.ico'];
    const found = await Promise.all(all.map(async (url) => (await page.request.get(url)).headers()['content-type']));
    expect(found).toEqual(['image/png', 'image/png', 'image/png', 'image/svg+xml']);
    await context.close();
  });

  test('a page whose code does not come leaves the person where they were, with what they typed', async () => {
    const { page, context } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Putus', 'putus@toko.example');
    await linkDevice(page, 'Kasir');
    await page.getByRole('link', { name: 'Send a message' }).first().click();
    await page.getByLabel('Message', { exact: true }).waitFor();
    await page.getByLabel('Message', { exact: true }).fill('half a sentence');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('The page did not load.').waitFor();
    expect(page.url()).toMatch(/\/app\/send/);
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('half a sentence');
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await context.close();
  });
});
