/**
 * Midtrans' HTTP interface, as far as it is needed: a Snap transaction with its hosted page, and how a transaction
 * stands. https://docs.midtrans.com/reference/backend-integration and .../reference/get-transaction-status
 */
import { z } from 'zod';

const timeoutMs = 10_000;

export type MidtransSettings = {
  readonly serverKey: string;
  /** Starts of addresses, without a slash at the end. */
  readonly snapUrl: string;
  readonly apiUrl: string;
};

const created = z.object({ token: z.string().min(1), redirect_url: z.url({ protocol: /^https?$/ }) });

/** Amounts are text with two decimals, here and there a number; a rupiah has none. */
const amount = z.union([
  z
    .string()
    .regex(/^[0-9]{1,10}(\.0{1,2})?$/, 'must be whole rupiah')
    .transform((text) => Number.parseInt(text, 10)),
  z.int().min(0).max(9_999_999_999),
]);

/** What a refund says of itself; a total stands nowhere. */
const refund = z.object({ refund_amount: amount });

/** What may be missing may be odd too: it then counts as not said, and the rest stays readable. */
const status = z.object({
  status_code: z.string(),
  order_id: z.string(),
  transaction_id: z.string().min(1).max(100),
  transaction_status: z.string(),
  fraud_status: z.string().optional().catch(undefined),
  gross_amount: amount,
  currency: z.string(),
  refund_amount: amount.optional().catch(undefined),
  refunds: z.array(refund).optional().catch(undefined),
});

export type MidtransStatus = z.output<typeof status>;

export type SnapRequest = {
  readonly orderId: string;
  readonly amountRupiah: number;
  readonly itemName: string;
  /** Told of every change of this transaction. */
  readonly notificationUrl: string;
  /** Where the payer goes when done. */
  readonly finishUrl: string;
  readonly expiryHours: number;
};

export type MidtransApi = {
  /** The address of the hosted page. */
  createTransaction(request: SnapRequest): Promise<string>;
  /** How the transaction stands; null when Midtrans has none of this order. */
  readStatus(orderId: string): Promise<MidtransStatus | null>;
};

/** The server key stands in the header only; no error repeats what was sent or answered. */
async function ask({ serverKey }: MidtransSettings, url: string, given: RequestInit = {}): Promise<unknown> {
  const authorization = `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`;
  const headers = { Accept: 'application/json', Authorization: authorization, ...given.headers };
  const answer = await fetch(url, { ...given, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (answer.ok || answer.status === 404) return answer.json();
  await answer.body?.cancel();
  throw new Error(`Midtrans answered ${answer.status}`);
}

const bodyOf = ({ orderId, amountRupiah, itemName, finishUrl, expiryHours }: SnapRequest) => ({
  transaction_details: { order_id: orderId, gross_amount: amountRupiah },
  item_details: [{ id: 'renewal', name: itemName.slice(0, 50), price: amountRupiah, quantity: 1 }],
  callbacks: { finish: finishUrl },
  expiry: { unit: 'hour', duration: expiryHours },
});

export function createMidtransApi(settings: MidtransSettings): MidtransApi {
  return {
    async createTransaction(request) {
      const answer = await ask(settings, `${settings.snapUrl}/snap/v1/transactions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Override-Notification': request.notificationUrl },
        body: JSON.stringify(bodyOf(request)),
      });
      return created.parse(answer).redirect_url;
    },
    async readStatus(orderId) {
      const answer = await ask(settings, `${settings.apiUrl}/v2/${encodeURIComponent(orderId)}/status`);
      // An order without a transaction is told by a code in the body, under HTTP's 200 or 404.
      if (z.object({ status_code: z.literal('404') }).safeParse(answer).success) return null;
      return status.parse(answer);
    },
  };
}
