/** Every mail and the mailbox page in a browser, in both languages and both colour schemes: axe finds nothing. */
import { languages } from '@kurir/contracts';
import { keepMail, listKeptMails } from '@kurir/database';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, findingsOf, openBrowser, whyNoBrowser } from '../../test/browser.js';
import { letters } from '../../test/letters.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { letterMail } from './letter.js';

let t: TestApi;
let browser: Browser;
beforeAll(async () => {
  if (chromiumPath === null) return;
  [t, browser] = await Promise.all([startTestApi(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

type View = { readonly language: 'en' | 'id'; readonly colorScheme: 'light' | 'dark' };

const views: readonly View[] = languages.flatMap((language) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ language, colorScheme })),
);

async function openPage({ language, colorScheme }: View): Promise<Page> {
  const locale = language === 'id' ? 'id-ID' : 'en-GB';
  const context = await browser.newContext({ baseURL: t.url, locale, colorScheme });
  return context.newPage();
}

const emptyMailbox = () => t.database.pool.query('DELETE FROM kept_mails');

const [[, reset]] = letters as [(typeof letters)[number]];

describe.skipIf(chromiumPath === null).each(views)(`in $language, $colorScheme (skipped: ${whyNoBrowser})`, (view) => {
  const { language } = view;

  test('no mail has a finding', async () => {
    const page = await openPage(view);
    for (const [name, letter] of letters) {
      await page.setContent(letterMail({ email: 'x@example.com', language }, letter).html);
      expect(await findingsOf(page), name).toEqual([]);
    }
    await page.context().close();
  });

  test('the mailbox has no finding, empty, with a mail as designed, and as text', async () => {
    const page = await openPage(view);
    await emptyMailbox();
    await page.goto('/app/mailbox');
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    expect(await findingsOf(page)).toEqual([]);
    for (const [, letter] of letters.slice(0, 12))
      await keepMail(t.database, letterMail({ email: 'siti@toko.example', language }, letter));
    await page.reload();
    await page.frameLocator('iframe').getByRole('heading').waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.getByRole('link', { name: language === 'id' ? 'Teks' : 'Text' }).click();
    await page.locator('article a[href^=http]').first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.context().close();
  });
});

describe.skipIf(chromiumPath === null)(`the mailbox (skipped: ${whyNoBrowser})`, () => {
  const view = { language: 'en', colorScheme: 'light' } as const;

  test('shows the newest mail first, and a link in the design opens in the window', async () => {
    const page = await openPage(view);
    await emptyMailbox();
    for (const subject of ['Older', 'Newer']) {
      const link = { ...reset.link, url: `${t.url}/app/mailbox?view=text` };
      const letter = { ...reset, subject: [subject, subject] as const, link };
      await keepMail(t.database, letterMail({ email: 'a@b.example', language: 'en' }, letter));
    }
    await page.goto('/app/mailbox');
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('Newer');
    await page.getByRole('link', { name: /^Older/ }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Older' }).waitFor();
    await frame.getByRole('link', { name: 'Choose a new password' }).click();
    await page.locator('article a[href^=http]').first().waitFor();
    await page.context().close();
  });

  test('shows words that look like HTML as words, and a mail runs no script', async () => {
    const page = await openPage(view);
    await emptyMailbox();
    const text = '</div><script>document.title = "gone"</script> https://a.example/"><b>x';
    const script = '<script>parent.document.title = document.title = "gone"</script>';
    const html = `<html lang="en"><head><title>x</title></head><body>${script}<p>read</p></body></html>`;
    await keepMail(t.database, { recipient: '<b>x@y.example', subject: '<i>Words</i>', text, html });
    await page.goto('/app/mailbox');
    await page.frameLocator('iframe').getByText('read').waitFor();
    expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe('<i>Words</i>');
    expect(await page.title()).toBe('Mailbox · Kurir');
    const [kept] = await listKeptMails(t.database);
    await page.goto(`/app/mailbox/${kept?.id}`);
    await page.getByText('read').waitFor();
    expect(await page.title()).toBe('x');
    await page.goto('/app/mailbox?view=text');
    expect(await page.locator('.text').textContent()).toBe(text);
    expect((await page.goto('/app/mailbox/eml_nobody'))?.status()).toBe(404);
    await page.context().close();
  });

  test('still shows the text of a mail that an earlier version kept', async () => {
    const page = await openPage(view);
    await emptyMailbox();
    await keepMail(t.database, letterMail({ email: 'a@b.example', language: 'en' }, reset));
    await t.database.pool.query('UPDATE kept_mails SET html = NULL');
    await page.goto('/app/mailbox');
    expect(await page.locator('.text').textContent()).toContain('Choose a new password');
    await page.context().close();
  });
});
