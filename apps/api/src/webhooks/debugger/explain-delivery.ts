/**
 * Finds why a receiver refuses a delivery. It tries the mistakes that people make, and names one only if the given
 * signature then matches exactly. So it guesses nothing, and it shows neither a secret nor a right signature.
 */
import type { WebhookFinding } from '@kurir/contracts/dashboard';
import { verifyWebhook } from '@kurir/signing';

export type Delivery = {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
};

export type Question = Delivery & {
  /** The secret that the program of the caller uses. */
  readonly secret: string | null;
  readonly secrets: readonly string[];
  /** The secrets of the other webhooks of the account. */
  readonly otherSecrets: readonly string[];
  /** The body as Kurir sends it. Null: the account has no such event. */
  readonly sentBody: string | null;
  readonly nowMs: number;
};

const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
type Headers = Readonly<Record<(typeof names)[number], string>>;

function entriesOf(text: string): (readonly [string, unknown])[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) return Object.entries(parsed);
  } catch {
    // Not JSON: lines.
  }
  return text.split(/\r?\n/).map((line) => {
    // A line of curl looks like `-H 'name: value'`, one of `curl -v` like `> name: value`.
    const [, name = '', value = ''] = /([\w-]+)['"]?\s*:\s*['"]?(.*?)['"]?[\s\\,]*$/.exec(line) ?? [];
    return [name, value];
  });
}

/** Reads lines `name: value`, or JSON. A header that is missing is empty. */
export function readHeaders(text: string): Headers {
  const found = new Map(
    entriesOf(text).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value[0] : value).trim(),
    ]),
  );
  const [id, timestamp, signature] = names;
  return {
    [id]: found.get(id) ?? '',
    [timestamp]: found.get(timestamp) ?? '',
    [signature]: found.get(signature) ?? '',
  };
}

const isSecret = (text: string): boolean => {
  const bytes = Buffer.from(text.replace(/^whsec_/, ''), 'base64').length;
  return /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(text) && bytes >= 24 && bytes <= 64;
};

/** Whether one of the secrets made the signature. The time may be any. */
function isSignedBy(secrets: readonly string[], { id, timestamp, signature, body }: Delivery): boolean {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return verifyWebhook(secrets, headers, body, Number(timestamp) * 1_000) === 'valid';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function missing({ id, timestamp, signature }: Delivery): WebhookFinding[] {
  return [
    ...(id === '' ? (['id_missing'] as const) : []),
    ...(timestamp === '' ? (['timestamp_missing'] as const) : []),
    ...(signature === '' ? (['signature_missing'] as const) : []),
    ...(timestamp === '' || /^\d{1,12}$/.test(timestamp) ? [] : (['timestamp_malformed'] as const)),
    ...(signature === '' || /(^| )v1,/.test(signature) ? [] : (['signature_without_version'] as const)),
  ];
}

function secretFinding({ secret, secrets, otherSecrets }: Question): WebhookFinding[] {
  if (secret === null) return [];
  const plain = (text: string) => text.replace(/^whsec_/, '');
  const isOneOf = (known: readonly string[]) => known.some((one) => plain(one) === plain(secret));
  if (!isSecret(secret)) return ['secret_malformed'];
  if (isOneOf(secrets)) return [];
  return [isOneOf(otherSecrets) ? 'secret_of_other_webhook' : 'secret_unknown'];
}

function isSameJson(one: string, other: string): boolean {
  const [first, second] = [parsed(one), parsed(other)];
  return first !== undefined && JSON.stringify(first) === JSON.stringify(second);
}

function bodyFinding({ body, sentBody, secrets, ...delivery }: Question): WebhookFinding | null {
  const fits = (candidate: string) => isSignedBy(secrets, { ...delivery, body: candidate });
  if (fits(body.trim())) return 'body_with_spaces';
  const compact = parsed(body);
  if (compact !== undefined && fits(JSON.stringify(compact))) return 'body_reformatted';
  if (sentBody === null || !fits(sentBody)) return null;
  if (body === '') return 'body_left_out';
  return isSameJson(body, sentBody) ? 'body_reformatted' : 'body_changed';
}

function idFinding(question: Question): WebhookFinding | null {
  const content = parsed(question.body);
  const id = typeof content === 'object' && content !== null && 'id' in content ? content.id : null;
  const differs = typeof id === 'string' && id !== question.id;
  return differs && isSignedBy(question.secrets, { ...question, id }) ? 'id_differs' : null;
}

function whyNotSigned(question: Question): WebhookFinding {
  if (isSignedBy(question.otherSecrets, question)) return 'secret_of_other_webhook';
  const { secret } = question;
  if (secret !== null && isSecret(secret) && isSignedBy([secret], question)) return 'secret_unknown';
  const found = bodyFinding(question) ?? idFinding(question);
  if (found !== null) return found;
  return question.sentBody === null ? 'event_unknown' : 'unexplained';
}

/** The findings, the gravest first. `matches`: id, time, signature and body belong together. */
export function explainDelivery(question: Question): { matches: boolean; findings: WebhookFinding[] } {
  const lacking = missing(question);
  if (lacking.length > 0) return { matches: false, findings: lacking };
  const ofSecret = secretFinding(question);
  if (!isSignedBy(question.secrets, question))
    return { matches: false, findings: [...new Set([whyNotSigned(question), ...ofSecret])] };
  const isOld = Math.abs(question.nowMs / 1_000 - Number(question.timestamp)) > 300;
  const findings: WebhookFinding[] = [...ofSecret, ...(isOld ? (['timestamp_too_old'] as const) : [])];
  return { matches: true, findings: ofSecret.length === 0 ? ['all_right', ...findings] : findings };
}
