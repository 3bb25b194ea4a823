/**
 * Signs webhooks as the Standard Webhooks specification says: HMAC-SHA256 over `id.timestamp.body`.
 * Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const prefix = 'whsec_';
const newSecretBytes = 32;
const minSecretBytes = 24;
const maxSecretBytes = 64;
/** A webhook that is older or newer than this may be a replay. */
const toleranceSeconds = 300;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;

export type WebhookToSign = {
  /** The id of the event. It is the same at every try. */
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string | Uint8Array;
};

/** The headers that carry the signature. */
export type WebhookHeaders = {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
};

export type WebhookCheck = 'valid' | 'malformed' | 'too_old' | 'wrong_signature';

export const makeWebhookSecret = (): string => prefix + randomBytes(newSecretBytes).toString('base64');

/** The bytes of a secret. Throws an Error that contains no part of the secret if it is none. */
function parseSecret(secret: string): Buffer {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const bytes = Buffer.from(text, 'base64');
  if (!base64Pattern.test(text) || bytes.length < minSecretBytes || bytes.length > maxSecretBytes)
    throw new Error(`a webhook secret is ${prefix} and ${minSecretBytes} to ${maxSecretBytes} bytes of base64`);
  return bytes;
}

function macOf(secret: string, id: string, timestamp: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', parseSecret(secret)).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Signs with each of the secrets, so that a receiver may hold any of them. Throws if one is no secret. */
export function signWebhook(secrets: readonly string[], { id, timestamp, body }: WebhookToSign): WebhookHeaders {
  const time = String(timestamp);
  const signatures = secrets.map((secret) => `v1,${macOf(secret, id, time, body).toString('base64')}`);
  return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures.join(' ') };
}

function holds(mac: Buffer, signature: string): boolean {
  const [version, text = ''] = signature.split(',');
  const received = Buffer.from(text, 'base64');
  return version === 'v1' && received.length === mac.length && timingSafeEqual(received, mac);
}

/**
 * Checks the headers over the raw body, in constant time. `nowMs` is the present time in Unix milliseconds. Throws if
 * one of the secrets is no secret.
 */
export function verifyWebhook(
  secrets: readonly string[],
  headers: { readonly [Name in keyof WebhookHeaders]?: string | undefined },
  body: string | Uint8Array,
  nowMs: number = Date.now(),
): WebhookCheck {
  const id = headers['webhook-id'] ?? '';
  const time = headers['webhook-timestamp'] ?? '';
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (id === '' || !/^\d{1,12}$/.test(time) || signatures[0] === '') return 'malformed';
  const macs = secrets.map((secret) => macOf(secret, id, time, body));
  if (!macs.some((mac) => signatures.some((signature) => holds(mac, signature)))) return 'wrong_signature';
  return Math.abs(nowMs / 1_000 - Number(time)) > toleranceSeconds ? 'too_old' : 'valid';
}
