/** The overview in a real browser: counts that lead to messages, spans of days, and a quota that runs out. */
import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, takePicture, whyNoBrowser } from './browser/browser.js';
import { linkDevice, sendTest, signUp } from './browser/dashboard-person.js';
import { runAdmin } from './customers/customer.js';
import { newPhoneNumber } from './phones/phone.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  await runAdmin(stack.env, ['plan', 'create', 'Usaha', '--days', '30', '--price', '50000', '--quota', '1000']);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Numbers with this end have no phone. */
const nobody = () => `${newPhoneNumber().slice(0, -4)}0000`;

type Subscription = { initial_quota: number | null; remaining_quota: number | null };

/** The page gets the gateway's data, with another quota. */
const withQuota = (quota: Subscription) => async (route: Route) => {
  const response = await route.fetch();
  const body = (await response.json()) as { data: { subscription: Subscription } };
  Object.assign(body.data.subscription, quota);
  await route.fulfill({ response, json: body });
};

describe.skipIf(chromiumPath === null)(`the overview in a browser (skipped: ${whyNoBrowser})`, () => {
  test('counts lead to the messages, days are days, and each chart is a table too', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Laporan', 'laporan@toko.example');
    await linkDevice(page, 'Kasir');
    await sendTest(page, newPhoneNumber(), 'Halo');
    await page
      .getByText(/^(Delivered|Read)$/)
      .first()
      .waitFor();
    await sendTest(page, nobody(), 'Halo');
    await page.getByText('Failed', { exact: true }).first().waitFor();

    await page.goto('/app');
    await page.getByRole('heading', { name: 'Messages per hour' }).waitFor();
    await page.getByText('50%').first().waitFor();
    await page.getByLabel('Span').selectOption('month');
    const days = page.getByRole('heading', { name: 'Messages per day' });
    await days.waitFor();
    const panel = page.locator('section').filter({ has: days });
    await panel.getByText('As a table').click();
    // One row for each day, and one for the names.
    expect(await panel.getByRole('row').count()).toBe(31);
    await takePicture(page, 'overview-month');
    const byDevice = page.locator('section').filter({ has: page.getByRole('heading', { name: 'By device' }) });
    await byDevice.getByRole('link', { name: 'Kasir' }).waitFor();
    const reasons = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Why messages failed' }) });
    await reasons.getByRole('link', { name: /no account on the messaging network/ }).waitFor();

    await page.getByRole('link', { name: '1 failed: see them' }).click();
    await page.waitForURL(/\/messages\?status=failed/);
    await page.getByRole('list', { name: 'Messages' }).getByRole('button').first().waitFor();
    expect(await page.getByRole('list', { name: 'Messages' }).getByRole('button').count()).toBe(1);
    expect(errors).toEqual([]);
    await context.close();
  });

  test('a quota that runs out is in the colour of trouble, with the next step on each page that needs it', async () => {
    const { page, context, errors } = await openPerson(browser, stack.baseUrl);
    await signUp(page, 'Toko Habis', 'habis@toko.example');
    await linkDevice(page, 'Kasir');
    await sendTest(page, newPhoneNumber(), 'Halo');
    await page
      .getByText(/^(Delivered|Read)$/)
      .first()
      .waitFor();
    for (const path of ['overview', 'plans'])
      await context.route(`**/app/api/${path}`, withQuota({ initial_quota: 100, remaining_quota: 0 }));
    await page.goto('/app');
    await page.getByRole('img', { name: 'Quota left: 0%' }).waitFor();
    await page.getByRole('link', { name: 'Choose a plan' }).click();
    await page.getByText('The quota is used up').waitFor();
    await page.getByRole('button', { name: 'Choose: Usaha' }).click();
    await page.getByText('Usaha is chosen').waitFor();
    await page.goto('/app/send');
    await page.getByText('The quota is used up').waitFor();
    await page.getByRole('button', { name: /^Pay Rp/ }).click();
    await page.waitForURL(/\/pay\//);

    await context.unroute('**/app/api/overview');
    await context.route('**/app/api/overview', withQuota({ initial_quota: null, remaining_quota: null }));
    await page.goto('/app');
    await page.getByText('Unlimited').waitFor();
    expect(await page.getByRole('img', { name: /^Quota left/ }).count()).toBe(0);
    expect(errors).toEqual([]);
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
});
