/** Renewing an account: the page on which a person pays, a provider that reports a payment twice, and `kurir renew`. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { type Stack, startStack } from './stack/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ workers: 0 });
});
afterAll(() => stack?.stop());

async function payOn(paymentUrl: string): Promise<number> {
  const { origin } = new URL(paymentUrl);
  const answer = await fetch(paymentUrl, { method: 'POST', headers: { origin, 'sec-fetch-site': 'same-origin' } });
  return answer.status;
}

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../packages/client/bin/kurir.js', import.meta.url));

/** Runs `kurir renew` as a cron job does, and returns its JSON. */
async function renewWhen({ apiKey, apiSecret }: Customer, ...condition: string[]): Promise<Record<string, unknown>> {
  const env = {
    PATH: process.env['PATH'],
    KURIR_BASE_URL: stack.baseUrl,
    KURIR_API_KEY: apiKey,
    KURIR_API_SECRET: apiSecret,
  };
  const { stdout } = await run(process.execPath, [program, 'renew', ...condition, '--json'], { env });
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a renewal', () => {
  it('is reused while it is pending, is paid on its page, and extends the period once for repeated payments', async () => {
    const customer = await stack.createCustomer({ devices: 0, quota: 100, durationDays: 30 });
    const before = await customer.client.accountInfo();
    const first = await customer.client.renewAccount();
    const again = await customer.client.renewAccount();
    expect(again.paymentUrl).toBe(first.paymentUrl);
    expect(first.description).toContain(customer.accountId);

    const page = await (await fetch(first.paymentUrl)).text();
    expect(page).toContain('Rp');
    await Promise.all([payOn(first.paymentUrl), payOn(first.paymentUrl), payOn(first.paymentUrl)]);
    await waitUntil(async () => (await customer.client.accountInfo()).sessionId !== before.sessionId, {
      what: 'the account is extended',
    });
    await payOn(first.paymentUrl);

    const after = await customer.client.accountInfo();
    const addedDays = (Date.parse(after.expiryDate) - Date.parse(before.expiryDate)) / 86_400_000;
    expect(Math.round(addedDays)).toBe(30);
    expect(after.remainingQuota).toBe('200');
    const next = await customer.client.renewAccount();
    expect(next.paymentUrl).not.toBe(first.paymentUrl);
  });

  it('is refused with crypto, which is not available yet, and with any other method', async () => {
    const customer = await stack.createCustomer({ devices: 0 });
    await expect(customer.client.renewAccount({ paymentMethod: 'crypto' })).rejects.toMatchObject({
      status: 501,
      code: 'PAYMENT_METHOD_UNAVAILABLE',
    });
    await expect(customer.client.renewAccount({ paymentMethod: 'shells' })).rejects.toMatchObject({
      status: 422,
      code: 'INVALID_PAYMENT_METHOD',
    });
  });

  it('is made by kurir renew when the plan ends soon, once in the period, and not again after it is paid', async () => {
    const customer = await stack.createCustomer({ devices: 0, quota: 100, durationDays: 30 });
    expect(await renewWhen(customer, '--when-below', '10%', '--when-days', '3')).toEqual({ renewed: false });
    const first = await renewWhen(customer, '--when-days', '30');
    expect(await renewWhen(customer, '--when-days', '30')).toEqual(first);
    await payOn(String(first['payment_url']));
    await waitUntil(async () => (await customer.client.accountInfo()).daysLeft > 30, {
      what: 'the account is extended',
    });
    expect(await renewWhen(customer, '--when-days', '30')).toEqual({ renewed: false });
    const next = await renewWhen(customer, '--when-days', '60');
    expect(next['renewal_id']).not.toBe(first['renewal_id']);
  });
});
