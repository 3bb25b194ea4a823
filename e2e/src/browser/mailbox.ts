/** The mailbox of a development run, as a person uses it. */
import { waitUntil } from '@kurir/testing';
import type { Page } from 'playwright-core';

/** Opens the newest mail whose entry has these words, as text. */
export async function openMail(page: Page, words: string | RegExp): Promise<void> {
  await page.goto('/app/mailbox?view=text');
  const entry = page.getByRole('navigation').first().getByRole('link').filter({ hasText: words });
  await waitUntil(async () => (await entry.count()) > 0 || (await page.reload(), false), { what: 'the mail' });
  await entry.first().click();
  await page.getByRole('article').waitFor();
}

/** Returns the address in the newest mail to this person. */
export async function mailedLink(page: Page, recipient: string): Promise<string> {
  await openMail(page, recipient);
  const link = await page.getByRole('article').locator('a[href^=http]').first().getAttribute('href');
  return link ?? 'no link';
}
