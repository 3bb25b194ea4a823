/**
 * The built-in payment provider. This process serves its page, and no real money moves. Otherwise it behaves like an
 * external provider: it reports a payment by a signed HTTP call to our callback, and may repeat it.
 */
import type { PaymentMethod } from '@kurir/contracts';
import { signPayload } from '@kurir/signing';
import type { Addresses } from '../http/addresses.js';
import { sandboxName } from './invoices/sandbox-name.js';
import type { PaymentProvider } from './payment-provider.js';

export const callbackPath = `/callbacks/payments/${sandboxName}`;

const callbackTimeoutMs = 10_000;

export type SandboxProvider = PaymentProvider & {
  /** Takes the payment and reports it. Repeated calls make only one payment of a renewal. */
  pay(renewal: { readonly id: string; readonly priceRupiah: number }, method: PaymentMethod | null): Promise<void>;
};

export function createSandboxProvider(addresses: Addresses, callbackSecret: string): SandboxProvider {
  async function report(body: string): Promise<void> {
    const timestamp = String(Date.now());
    const answer = await fetch(addresses.ownUrl() + callbackPath, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Timestamp': timestamp,
        'X-Signature': signPayload(callbackSecret, timestamp, body),
      },
      body,
      signal: AbortSignal.timeout(callbackTimeoutMs),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the payment callback answered ${answer.status}`);
  }

  return {
    name: sandboxName,
    openPage: ({ pageToken }) => Promise.resolve(`${addresses.publicUrl()}/pay/${pageToken}`),
    pay: ({ id, priceRupiah }, method) =>
      report(
        JSON.stringify({ renewal_id: id, payment_id: `sandbox-${id}`, amount: priceRupiah, status: 'paid', method }),
      ),
  };
}
