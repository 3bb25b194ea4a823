/**
 * Common mistakes in signing. Each one computes the text or signature that it would lead to. A mistake is reported only
 * if the given signature matches exactly, so the debugger neither guesses nor reveals a right signature.
 */
import { createHash, createHmac } from 'node:crypto';
import type { signatureFindings } from '@kurir/contracts/dashboard';
import { sha256Hex, stringToSign } from '@kurir/signing';

export type Finding = (typeof signatureFindings)[number];

export type Signed = {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly body: string;
};

export const rightText = (signed: Signed): string => stringToSign({ ...signed, bodySha256: sha256Hex(signed.body) });

const withBody = (signed: Signed, body: string) => rightText({ ...signed, body });
const withTarget = (signed: Signed, target: string) => rightText({ ...signed, target });
const parts = (signed: Signed) => [signed.method, signed.target, signed.timestamp, sha256Hex(signed.body)];

function decoded(target: string): string[] {
  try {
    return [decodeURIComponent(target), decodeURIComponent(target.replaceAll('+', ' '))];
  } catch {
    // A program cannot have decoded this target.
    return [];
  }
}

function sortedQuery(target: string): string[] {
  const [path = '', query] = target.split('?', 2);
  return query === undefined ? [] : [`${path}?${query.split('&').sort().join('&')}`];
}

const otherUnit = (timestamp: string) =>
  timestamp.length === 10 ? `${timestamp}000` : timestamp.length === 13 ? timestamp.slice(0, 10) : timestamp;

/** Indentation adds the depth to every line, so deeply nested JSON would become huge. */
const deepest = 32;

function isDeep(body: string): boolean {
  let depth = 0;
  for (const character of body) {
    if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** Returns the JSON as other programs write it: compact, indented, and with Python's spaces. */
function reformatted(body: string): string[] {
  if (isDeep(body)) return [];
  try {
    const value: unknown = JSON.parse(body);
    const indented = JSON.stringify(value, null, 1);
    return [
      JSON.stringify(value),
      JSON.stringify(value, null, 2),
      JSON.stringify(value, null, 4),
      indented.replace(/\n\s*/g, (_gap, at: number) => (indented[at - 1] === ',' ? ' ' : '')),
    ];
  } catch {
    // A body that is not JSON has no other layout.
    return [];
  }
}

/** The texts that somebody signs by mistake. */
export const wrongTexts: { readonly [F in Finding]?: (signed: Signed, publicUrl: string) => string[] } = {
  method_not_upper_case: (signed) => [rightText({ ...signed, method: signed.method.toLowerCase() })],
  target_without_query: (signed) => [withTarget(signed, signed.target.split('?', 1)[0] ?? '')],
  target_decoded: (signed) => decoded(signed.target).map((target) => withTarget(signed, target)),
  target_with_host: (signed, publicUrl) => [withTarget(signed, publicUrl + signed.target)],
  target_slash_at_end: (signed) => [
    withTarget(signed, `${signed.target}/`),
    withTarget(signed, signed.target.replace(/\/$/, '')),
  ],
  target_query_sorted: (signed) => sortedQuery(signed.target).map((target) => withTarget(signed, target)),
  timestamp_in_other_unit: (signed) => [rightText({ ...signed, timestamp: otherUnit(signed.timestamp) })],
  body_hash_upper_case: (signed) => [stringToSign({ ...signed, bodySha256: sha256Hex(signed.body).toUpperCase() })],
  body_left_out: (signed) => {
    const head = [signed.method, signed.target, signed.timestamp].join(':');
    return [head, `${head}:`, withBody(signed, '')];
  },
  body_not_hashed: (signed) => [stringToSign({ ...signed, bodySha256: signed.body })],
  body_trimmed: (signed) => [withBody(signed, signed.body.trim())],
  body_with_newline: (signed) => [withBody(signed, `${signed.body}\n`), withBody(signed, `${signed.body}\r\n`)],
  body_reformatted: (signed) => reformatted(signed.body).map((body) => withBody(signed, body)),
  body_slashes_escaped: (signed) => [
    withBody(signed, signed.body.replaceAll('/', '\\/')),
    withBody(signed, signed.body.replaceAll('\\/', '/')),
  ],
  separator_newline: (signed) => [parts(signed).join('\n')],
  separator_none: (signed) => [parts(signed).join('')],
};

const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
const bare = (secret: string) => secret.replace(/^ks_(live|test)_/, '');

/** The signatures that somebody computes by mistake from the right text. */
export const wrongMacs: { readonly [F in Finding]?: (text: string, secret: string) => string[] } = {
  signature_base64: (text, secret) => {
    const bytes = mac(secret, text).digest();
    return [bytes.toString('base64'), bytes.toString('base64url')];
  },
  signature_sha512: (text, secret) => [createHmac('sha512', secret).update(text).digest('hex')],
  secret_as_hex: (text, secret) => [mac(Buffer.from(bare(secret), 'hex'), text).digest('hex')],
  secret_as_base64: (text, secret) => [mac(Buffer.from(bare(secret), 'base64'), text).digest('hex')],
  secret_trimmed_prefix: (text, secret) => [mac(bare(secret), text).digest('hex')],
};

/** Compares hashes, so that the time of the comparison reveals nothing. */
export const isSame = (a: string, b: string): boolean =>
  createHash('sha256').update(a).digest().equals(createHash('sha256').update(b).digest());
