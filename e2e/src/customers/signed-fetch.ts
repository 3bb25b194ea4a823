/** Makes one signed request. A test can change every part of it, for example to sign wrongly. */
import { signRequest } from '@kurir/signing';
import type { Customer } from './customer.js';

export type SignedRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly target: string;
  readonly body?: string;
  readonly deviceId?: string;
  /** Replace signed headers. An empty value removes the header. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timestamp?: string;
};

export type WireAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { success: boolean; code?: string; error?: string; message?: string; data?: Record<string, unknown> };
};

let lastSecond = 0;

/** The api takes two equal requests with the same timestamp for a repeat, so each request gets its own timestamp. */
function ownTimestamp(): string {
  lastSecond = Math.max(Date.now(), lastSecond + 1);
  return String(lastSecond);
}

export async function signedFetch(
  baseUrl: string,
  customer: Pick<Customer, 'apiKey' | 'apiSecret'>,
  request: SignedRequest,
): Promise<WireAnswer> {
  const body = request.body ?? '';
  const timestamp = request.timestamp ?? ownTimestamp();
  const signature = signRequest({
    method: request.method,
    target: request.target,
    timestamp,
    body,
    secret: customer.apiSecret,
  });
  const headers = {
    'X-API-Key': customer.apiKey,
    'X-Timestamp': timestamp,
    'X-Signature': signature,
    ...(request.deviceId === undefined ? {} : { 'X-Device-Id': request.deviceId }),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...request.headers,
  };
  const answer = await fetch(`${baseUrl}${request.target}`, {
    method: request.method,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
    ...(body === '' ? {} : { body }),
  });
  // Every answer of the api is one of the two envelopes. The tests check the fields that they need.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as WireAnswer['body'] };
}
