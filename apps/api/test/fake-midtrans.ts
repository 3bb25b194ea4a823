/**
 * A fake Midtrans on loopback with the documented wire format: Snap transactions, their status, and notifications
 * signed with SHA-512. Tests set the status of a transaction and send its notifications, in any order and with any
 * fault.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Transaction = {
  readonly orderId: string;
  readonly notificationUrl: string;
  readonly request: Record<string, unknown>;
  transactionId: string;
  status: string;
  /** The next status queries each get one of these, before they get `status`. */
  readonly firstStatuses: string[];
  fraud: string | null;
  grossAmount: string;
  currency: string;
  /** The rupiah of each refund, or null to leave the list out. */
  refunds: number[] | null;
  /** Fields that replace the usual ones in the answer. */
  odd: Readonly<Record<string, unknown>>;
};

export type FakeMidtrans = {
  readonly url: string;
  readonly serverKey: string;
  readonly transactions: Map<string, Transaction>;
  /** If set, every request gets this status and an empty body. */
  broken: number | null;
  notify(orderId: string, changes?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
};

async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

const codes: Readonly<Record<string, string>> = { pending: '201', expire: '407', deny: '202' };

function statusBody(serverKey: string, transaction: Transaction): Record<string, unknown> {
  const { orderId, transactionId, status, fraud, grossAmount, currency, refunds, odd } = transaction;
  const code = codes[status] ?? '200';
  const signed = createHash('sha512')
    .update(orderId + code + grossAmount + serverKey)
    .digest('hex');
  return {
    transaction_time: '2026-11-21 16:00:00',
    transaction_status: status,
    transaction_id: transactionId,
    status_message: 'midtrans payment notification',
    status_code: code,
    signature_key: signed,
    payment_type: 'bank_transfer',
    order_id: orderId,
    merchant_id: 'G000000001',
    gross_amount: grossAmount,
    currency,
    ...(fraud === null ? {} : { fraud_status: fraud }),
    ...(refunds === null
      ? {}
      : { refunds: refunds.map((rupiah, i) => ({ refund_chargeback_id: i, refund_amount: `${rupiah}.00` })) }),
    ...odd,
  };
}

export async function startFakeMidtrans(): Promise<FakeMidtrans> {
  const serverKey = 'SB-Mid-server-test';
  const transactions = new Map<string, Transaction>();
  const authorization = `Basic ${Buffer.from(`${serverKey}:`).toString('base64')}`;

  function create(req: IncomingMessage, request: Record<string, unknown>): [number, object] {
    const details = request['transaction_details'] as { order_id: string; gross_amount: number };
    if (transactions.has(details.order_id))
      return [400, { error_messages: ['transaction_details.order_id has already been taken'] }];
    transactions.set(details.order_id, {
      orderId: details.order_id,
      notificationUrl: String(req.headers['x-override-notification']),
      request,
      transactionId: `trx-${details.order_id}`,
      status: 'pending',
      firstStatuses: [],
      fraud: 'accept',
      grossAmount: `${details.gross_amount}.00`,
      currency: 'IDR',
      refunds: null,
      odd: {},
    });
    return [201, { token: 'snap-token', redirect_url: `https://app.midtrans.example/snap/v4/${details.order_id}` }];
  }

  async function answer(req: IncomingMessage): Promise<[number, object]> {
    const body = await readJson(req);
    if (fake.broken !== null) return [fake.broken, {}];
    if (req.headers.authorization !== authorization) return [401, { error_messages: ['Access denied'] }];
    if (req.method === 'POST' && req.url === '/snap/v1/transactions') return create(req, body);
    const [, orderId = ''] = /^\/v2\/([^/]+)\/status$/.exec(req.url ?? '') ?? [];
    const transaction = transactions.get(orderId);
    if (transaction !== undefined) {
      const status = transaction.firstStatuses.shift() ?? transaction.status;
      return [200, statusBody(serverKey, { ...transaction, status })];
    }
    return [404, { status_code: '404', status_message: "Transaction doesn't exist.", id: 'x' }];
  }

  const server = createServer((req, res) => {
    void answer(req).then(([status, body]) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const fake: FakeMidtrans = {
    // A listening TCP server has an address object.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serverKey,
    transactions,
    broken: null,
    notify(orderId, changes = {}) {
      const transaction = transactions.get(orderId);
      if (transaction === undefined) throw new Error(`there is no transaction ${orderId}`);
      return fetch(transaction.notificationUrl, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...statusBody(serverKey, transaction), ...changes }),
      });
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
  return fake;
}
