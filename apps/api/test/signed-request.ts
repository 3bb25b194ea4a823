/** Signs and sends a request as a customer's program does. */
import { type PublicOperation, publicOperations, type PublicOperationName } from '@kurir/contracts';
import { signRequest } from '@kurir/signing';
import type { Customer, Key } from './customer-fixture.js';

export type Sent = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { success: boolean; message: string; data: Record<string, unknown>; code: string; error: string };
};

export type RequestParts = {
  readonly method: string;
  readonly target: string;
  readonly body?: string | Buffer;
  readonly key: Key;
  readonly timestamp?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs by scheme 2: the device id and the Idempotency-Key of `headers` too. */
  readonly version?: 2 | undefined;
};

let last = 0;

/** Returns milliseconds that differ on each call, so that no request repeats another by accident. */
export function freshTimestamp(): string {
  const now = Date.now();
  const clockWasSetBack = last - now > 10_000;
  last = now > last || clockWasSetBack ? now : last + 1;
  return String(last);
}

export function signedHeaders({
  method,
  target,
  body = '',
  key,
  timestamp = freshTimestamp(),
  headers = {},
  version,
}: RequestParts) {
  const { 'X-Device-Id': deviceId = null, 'Idempotency-Key': idempotencyKey = null } = headers;
  const signedHeaders = version === 2 ? { deviceId, idempotencyKey } : undefined;
  return {
    ...(body.length === 0 ? {} : { 'Content-Type': 'application/json' }),
    'X-API-Key': key.id,
    'X-Timestamp': timestamp,
    'X-Signature': signRequest({ method, target, timestamp, signedHeaders, body, secret: key.secret }),
    ...(version === 2 ? { 'X-Signature-Version': '2' } : {}),
    ...headers,
  };
}

export async function readAnswer(answer: Response): Promise<Sent> {
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') === true;
  // Each test asserts the shape that it needs. A file is the data of a success.
  const file = { success: true, message: '', data: { text }, code: '', error: '' };
  return { status: answer.status, headers: answer.headers, body: isJson ? (JSON.parse(text) as Sent['body']) : file };
}

export async function sendSigned(url: string, parts: RequestParts): Promise<Sent> {
  const { method, target, body } = parts;
  const headers = signedHeaders(parts);
  return readAnswer(await fetch(url + target, { method, headers, ...(body === undefined ? {} : { body }) }));
}

export type CallOptions = {
  readonly body?: unknown;
  readonly query?: string;
  readonly jobId?: string;
  readonly renewalId?: string;
  readonly webhookId?: string;
  readonly eventId?: string;
  readonly templateId?: string;
  readonly broadcastId?: string;
  readonly conversationId?: string;
  readonly phone?: string;
  readonly contactId?: string;
  readonly uploadId?: string;
  readonly importId?: string;
  readonly deviceId?: string;
  readonly timestamp?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly version?: 2 | undefined;
};

/** Calls an operation of the route table as `customer`. */
export function call(
  url: string,
  customer: Customer,
  operation: PublicOperationName,
  options: CallOptions = {},
): Promise<Sent> {
  const entry: PublicOperation = publicOperations[operation];
  const {
    body,
    query,
    jobId = 'msg_none',
    renewalId = 'rnw_none',
    webhookId = 'whk_none',
    eventId = 'evt_none',
    templateId = 'tpl_none',
    broadcastId = 'brc_none',
    conversationId = 'cnv_none',
    phone = '6289999999999',
    contactId = 'con_none',
    uploadId = 'upl_none',
    importId = 'imp_none',
    deviceId = customer.deviceId,
    timestamp,
    headers = {},
    version,
  } = options;
  const path = entry.path
    .replace('{job_id}', jobId)
    .replace('{device_id}', deviceId)
    .replace('{renewal_id}', renewalId)
    .replace('{webhook_id}', webhookId)
    .replace('{event_id}', eventId)
    .replace('{template_id}', templateId)
    .replace('{broadcast_id}', broadcastId)
    .replace('{conversation_id}', conversationId)
    .replace('{phone}', encodeURIComponent(phone))
    .replace('{contact_id}', contactId)
    .replace('{upload_id}', uploadId)
    .replace('{import_id}', importId);
  return sendSigned(url, {
    method: entry.method,
    target: query === undefined ? path : `${path}?${query}`,
    key: customer.key,
    version,
    headers: { ...(entry.device ? { 'X-Device-Id': deviceId } : {}), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(timestamp === undefined ? {} : { timestamp }),
  });
}

export const aMessage = { message: 'Your code is 493021', phone_destination: '6281234567890' };
