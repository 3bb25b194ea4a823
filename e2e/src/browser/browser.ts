/**
 * Starts the Chromium that `npm test` found or installed, for one test file. Each person has a browser context, so
 * people share no cookies and no storage. A test collects the errors of each page and fails if there are any.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export const chromiumPath = process.env['KURIR_TEST_CHROMIUM'] ?? null;
export const whyNoBrowser = process.env['KURIR_TEST_NO_CHROMIUM'] ?? 'run it with npm test, which finds a Chromium';

const screenshots = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const actionLimitMs = 60_000;

/** The page shows a refusal as a normal answer, but the browser reports it as an error. */
const isRefusal = (text: string) => text.includes('Failed to load resource');

export type Person = { readonly page: Page; readonly context: BrowserContext; readonly errors: string[] };

export async function openBrowser(): Promise<Browser> {
  if (chromiumPath === null) throw new Error(whyNoBrowser);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromiumPath, args: asRoot });
}

const viewportOf = (width: number) => ({ width, height: width < 600 ? 844 : 900 });

/** Resizes the page, as a person does who turns the phone or resizes the window. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize(viewportOf(width));
  // Chromium may lay the page out at the old width for another frame.
  await page.waitForFunction(`innerWidth === ${width} && matchMedia('(width: ${width}px)').matches`);
}

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

/** Opens the session of a person in another view, and closes the first one. */
export async function reopenPerson(browser: Browser, baseUrl: string, person: Person, view: View): Promise<Person> {
  const viewed = await openPerson(browser, baseUrl, view);
  await viewed.context.addCookies(await person.context.cookies());
  await person.context.close();
  return viewed;
}

/** With `KURIR_TEST_PICTURES`, saves the picture in a folder that git ignores. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env['KURIR_TEST_PICTURES']) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name}.png` });
}
