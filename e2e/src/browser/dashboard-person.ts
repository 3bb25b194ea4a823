/** The actions of a person on the dashboard. A person finds buttons and fields by their labels. */
import type { Page } from 'playwright-core';

export const password = 'kuda poni di atas awan';

export async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/app/sign-up');
  await page.getByLabel('Your name or your business’s').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Country').selectOption('ID');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome to Kurir' }).waitFor();
}

export async function signIn(page: Page, email: string, withPassword: string): Promise<void> {
  await page.goto('/app/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(withPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/**
 * Adds a device of the simulated network and pretends to scan its QR code. Waits until the page shows the device as
 * connected, without reloading.
 */
export async function linkDevice(page: Page, name: string): Promise<string> {
  await page.goto('/app/devices');
  await page.getByRole('button', { name: 'Add a device' }).first().click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add and link' }).click();
  await page.getByRole('img', { name: 'QR code to scan with the phone' }).waitFor();
  await page.getByRole('button', { name: 'Pretend to scan' }).click();
  await page.getByText('Connected', { exact: true }).first().waitFor();
  const id = /\/devices\/(dev_\w+)/.exec(page.url())?.[1];
  if (id === undefined) throw new Error(`no device in ${page.url()}`);
  return id;
}

/** Sends a test message and stays on the page that follows. */
export async function sendTest(page: Page, recipient: string, text: string): Promise<void> {
  await page.goto('/app/send');
  await page.getByLabel('To', { exact: true }).fill(recipient);
  await page.getByLabel('Message', { exact: true }).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Pays on the payment page, and waits until it says so: leaving it sooner would cut the payment off. */
export async function payOnPage(page: Page): Promise<void> {
  await page.getByRole('button').first().click();
  await page.getByText(/^(Paid\. Thank you|Lunas\. Terima kasih)/).waitFor();
}

/** Chooses the plan and pretends to pay for one period. */
export async function payForPlan(page: Page, plan: string): Promise<void> {
  await page.goto('/app/billing');
  await page.getByRole('button', { name: `Choose: ${plan}` }).click();
  await page.getByRole('button', { name: /^Pay Rp/ }).click();
  await page.waitForURL(/\/pay\//);
  await payOnPage(page);
  await page.goto('/app/billing');
  await page.getByRole('cell', { name: 'Paid', exact: true }).waitFor();
}

/** Creates a key with all scopes. Returns it with the secret, which the page shows once. */
export async function createKey(page: Page, name: string): Promise<{ apiKey: string; apiSecret: string }> {
  await page.goto('/app/keys');
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create a key' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Mode').selectOption('live');
  await dialog.getByRole('button', { name: 'Create a key' }).click();
  return readShownSecret(page);
}

export async function readShownSecret(page: Page): Promise<{ apiKey: string; apiSecret: string }> {
  const dialog = page.getByRole('dialog', { name: 'Copy the secret now' });
  await dialog.locator('code').nth(1).waitFor();
  const [apiKey = '', apiSecret = ''] = await dialog.locator('code').allTextContents();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  return { apiKey, apiSecret };
}
