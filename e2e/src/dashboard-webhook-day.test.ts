/** A day of a developer who connects a program to Kurir: it breaks, the pages say why, and what was missed comes again. */
import type { Browser, Page } from 'playwright-core';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openBrowser, openPerson, whyNoBrowser } from './browser/browser.js';
import { linkDevice, sendTest, signUp } from './browser/dashboard-person.js';
import { inspectBoth } from './browser/inspect-page.js';
import { startWebhookProgram, type WebhookProgram } from './customers/webhook-program.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
let browser: Browser;
let program: WebhookProgram;

beforeAll(async () => {
  if (chromiumPath === null) return;
  [stack, browser, program] = await Promise.all([
    startStack({ env: { KURIR_WEBHOOK_PRIVATE_ADDRESSES: 'loopback' } }),
    openBrowser(),
    startWebhookProgram(),
  ]);
});
afterAll(async () => {
  await program?.close();
  await browser?.close();
  await stack?.stop();
});

/** On a slow machine a delivery has had more tries by then, so the next one comes minutes later. */
const triesMs = 240_000;

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

/** Creates the webhook, opens its page and returns the secret, which is shown once. */
async function createWebhook(page: Page): Promise<string> {
  await page.goto('/app/webhooks');
  await page.getByRole('button', { name: 'Create a webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill(program.url);
  await dialog.getByRole('button', { name: 'Create a webhook' }).click();
  return copySecret(page);
}

async function copySecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = await dialog.getByText(/^whsec_/).innerText();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

/** Sends a message from another tab. Its events go to the webhook. */
async function sendMessage(page: Page, text: string): Promise<void> {
  const other = await page.context().newPage();
  await sendTest(other, '6281234567890', text);
  await other.getByText('Delivered', { exact: true }).first().waitFor();
  await other.close();
}

const hasTaken = (ids: readonly string[]) => ids.every((id) => program.taken.some((delivery) => delivery.id === id));

describe.skipIf(chromiumPath === null)(`a day with a webhook (skipped: ${whyNoBrowser})`, () => {
  test('a program refuses, its developer reads why, mends it and gets what it missed', async () => {
    const person = await openPerson(browser, stack.baseUrl);
    const { page, errors } = person;
    await signUp(page, 'Kode', 'developer@kode.example');
    await linkDevice(page, 'Kode');

    // The program works.
    program.secret = await createWebhook(page);
    await page.getByRole('button', { name: 'Send a test', exact: true }).click();
    await page.getByText(/It works: the address answered 200/).waitFor();
    await sendMessage(page, 'Kode Anda 481516.');
    await waitUntil(() => program.taken.some(({ type }) => type === 'message.delivered'), {
      what: 'the program takes the delivery report',
    });

    // The program is set up anew, with the secret of another webhook.
    program.secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    await sendMessage(page, 'Kode Anda 234200.');
    await waitUntil(() => program.refused.some(({ type }) => type === 'message.delivered'), {
      what: 'the program refuses the delivery report',
    });
    await page.locator('summary').filter({ hasText: 'message.delivered' }).filter({ hasText: '401' }).first().click();
    await page.getByText('wrong signature').first().waitFor();
    await page.getByText('Your program does not trust this delivery.').first().waitFor();
    await page.getByText(/It works/).waitFor({ state: 'detached' });
    await inspectBoth(person, 'webhook-day-attempt');

    const [pasted] = program.refused;
    await openTab(page, 'Why does my check fail?');
    await page.getByLabel('Headers').fill(pasted?.headers ?? '');
    await page.getByLabel('Raw body').fill(pasted?.body ?? '');
    await page.getByLabel('The secret that your program uses').fill(program.secret);
    await page.getByRole('button', { name: 'Check it' }).click();
    await page.getByText('This is no live secret of this webhook').waitFor();
    await inspectBoth(person, 'webhook-day-check');

    // A new secret. The tries go on by themselves.
    await openTab(page, 'Settings');
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).click();
    program.secret = await copySecret(page);
    const missed = program.refused.map(({ id }) => id);
    await waitUntil(() => hasTaken(missed), { what: 'the program takes all that it refused', timeoutMs: triesMs });

    // The developer lost the program's data, and asks for all of it again.
    const before = new Map<string, string>();
    for (const { id, type, body } of program.taken.splice(0)) if (type.startsWith('message.')) before.set(id, body);
    await openTab(page, 'Send again');
    await page.getByRole('button', { name: 'Count the events' }).click();
    await page.getByText(/\d+ events are in this span/).waitFor();
    await page.getByRole('button', { name: /^Send \d+ events again$/ }).click();
    await page.getByText('Ended', { exact: true }).waitFor();
    await inspectBoth(person, 'webhook-day-replay');
    await waitUntil(() => hasTaken([...before.keys()]), { what: 'the program takes all events again' });
    const again = new Map(program.taken.map(({ id, body }) => [id, body]));
    for (const [id, body] of before) expect(again.get(id)).toBe(body);
    expect(errors).toEqual([]);
    await person.context.close();
  });
});
