/**
 * The parts of Midtrans' HTTP interface that we need: a Snap transaction with its hosted page, and its status.
 * https://docs.midtrans.com/reference/backend-integration and .../reference/get-transaction-status
 */
import { z } from 'zod';

const timeoutMs = 10_000;

export type MidtransSettings = {
  readonly serverKey: string;
  /** The start of the addresses, without a slash at the end. */
  readonly snapUrl: string;
  readonly apiUrl: string;
};

const created = z.object({ token: z.string().min(1), redirect_url: z.url({ protocol: /^https?$/ }) });

/** Midtrans writes an amount as text with two decimals, or sometimes as a number. A rupiah has no decimals. */
const amount = z.union([
  z
    .string()
    .regex(/^[0-9]{1,10}(\.0{1,2})?$/, 'must be whole rupiah')
    .transform((text) => Number.parseInt(text, 10)),
  z.int().min(0).max(9_999_999_999),
]);

/** One refund. Midtrans gives no reliable total of all refunds. */
const refund = z.object({ refund_amount: amount });

/** An optional field with an unexpected value counts as missing, so that the other fields stay readable. */
const status = z.object({
  status_code: z.string(),
  order_id: z.string(),
  transaction_id: z.string().min(1).max(100),
  transaction_status: z.string(),
  fraud_status: z.string().optional().catch(undefined),
  gross_amount: amount,
  currency: z.string(),
  payment_type: z.string().optional().catch(undefined),
  refund_amount: amount.optional().catch(undefined),
  refunds: z.array(refund).optional().catch(undefined),
});

export type MidtransStatus = z.output<typeof status>;

export type SnapRequest = {
  readonly orderId: string;
  readonly amountRupiah: number;
  readonly itemName: string;
  /** Midtrans posts every change of this transaction to it. */
  readonly notificationUrl: string;
  /** The browser of the payer goes there in the end. */
  readonly finishUrl: string;
  readonly expiryHours: number;
};

export type MidtransApi = {
  /** Resolves with the address of the hosted page. */
  createTransaction(request: SnapRequest): Promise<string>;
  /** Resolves with the status of the transaction, or null if Midtrans has none with this order id. */
  readStatus(orderId: string): Promise<MidtransStatus | null>;
};

/** Only the header holds the server key. No error repeats the request or the answer. */
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
      // For an order without a transaction, the body has the code 404. The HTTP status may be 200 or 404.
      if (z.object({ status_code: z.literal('404') }).safeParse(answer).success) return null;
      return status.parse(answer);
    },
  };
}
