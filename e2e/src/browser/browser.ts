/**
 * Chromium for one test file, as `npm test` found or installed it. Each person is a context of their own: another
 * browser, as far as cookies and storage go. Whatever a page reports as an error fails the test that drives it.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export const chromiumPath = process.env['KURIR_TEST_CHROMIUM'] ?? null;
export const whyNoBrowser = process.env['KURIR_TEST_NO_CHROMIUM'] ?? 'run it with npm test, which finds a Chromium';

const screenshots = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const actionLimitMs = 60_000;

/** A refusal is an answer, and the page shows it; the browser reports each as an error all the same. */
const isRefusal = (text: string) => text.includes('Failed to load resource');

export type Person = { readonly page: Page; readonly context: BrowserContext; readonly errors: string[] };

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(whyNoBrowser);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath, args: asRoot });
}

const viewportOf = (width: number) => ({ width, height: width < 600 ? 844 : 900 });

/** As one who turns the phone, or pulls at the window. */
export const resize = (page: Page, width: number): Promise<void> => page.setViewportSize(viewportOf(width));

type View = { readonly scheme?: 'light' | 'dark'; readonly width?: number; readonly locale?: string };

export async function openPerson(browser: Browser, baseUrl: string, view: View = {}): Promise<Person> {
  const context = await browser.newContext({
    baseURL: baseUrl,
    colorScheme: view.scheme ?? 'light',
    viewport: viewportOf(view.width ?? 1280),
    locale: view.locale ?? 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(actionLimitMs);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) errors.push(message.text());
  });
  return { page, context, errors };
}

/** Into a folder that git ignores, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}
