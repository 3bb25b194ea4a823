/** Proves that a webhook is from the gateway. It works on the raw body: parsed JSON that is written again may differ. */
import { verifyWebhook as checkWebhook, type WebhookCheck } from '@kurir/signing';
import { KurirUsageError } from '../calls/errors.js';
import type { KurirEvent } from '../contract/call-types.js';
import { toCamelCase } from '../contract/wire-case.js';

/** The headers of a request, as Node, Express or `fetch` has them. */
export type WebhookRequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookRefusal = 'malformed' | 'too_old' | 'wrong_signature';

const sentences: Record<WebhookRefusal, string> = {
  malformed:
    'This is no webhook: it lacks webhook-id, webhook-timestamp or webhook-signature, or its body is no event. Answer 400.',
  wrong_signature:
    'The signature does not match. Check the secret, and give the body as it arrived, before anything parses it. Answer 401.',
  too_old: 'The webhook was signed more than five minutes ago or ahead. Check the clock of this machine. Answer 401.',
};

/** The webhook is not to be trusted. `reason` says why. */
export class KurirWebhookError extends Error {
  override readonly name = 'KurirWebhookError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(sentences[reason]);
    this.reason = reason;
  }
}

function headerOf(headers: WebhookRequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.[0];
}

function check(secrets: readonly string[], headers: WebhookRequestHeaders, body: string | Uint8Array): WebhookCheck {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  const signed = Object.fromEntries(names.map((name) => [name, headerOf(headers, name)]));
  try {
    return checkWebhook(secrets, signed, body);
  } catch (cause) {
    throw new KurirUsageError('A webhook secret is like whsec_…, exactly as the gateway showed it once.', { cause });
  }
}

function parseEvent(body: string | Uint8Array): KurirEvent | null {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  try {
    const value: unknown = JSON.parse(text);
    const isEvent = typeof value === 'object' && value !== null && 'id' in value && 'type' in value;
    // The signature proves that the gateway wrote it.
    return isEvent ? (toCamelCase(value) as KurirEvent) : null;
  } catch {
    // The text is not JSON, so it is no event.
    return null;
  }
}

/**
 * Returns the event of a webhook that the gateway signed within the last five minutes, with any of the secrets.
 * `rawBody` is the body as it arrived. Throws a KurirWebhookError for any other request, and a KurirUsageError for an
 * unusable secret or body. The gateway repeats events, so handle each `id` once.
 */
export function verifyWebhook(
  secret: string | readonly string[],
  headers: WebhookRequestHeaders,
  rawBody: string | Uint8Array,
): KurirEvent {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new KurirUsageError('Give the raw body, bytes or text. It must not be parsed before it is verified.');
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0) throw new KurirUsageError('Give the secret of the webhook.');
  const outcome = check(secrets, headers, rawBody);
  if (outcome !== 'valid') throw new KurirWebhookError(outcome);
  const event = parseEvent(rawBody);
  if (event === null) throw new KurirWebhookError('malformed');
  return event;
}
