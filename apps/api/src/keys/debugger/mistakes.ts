/**
 * Common mistakes in signing. Each one computes the text or signature that it would lead to. A mistake is reported only
 * if the given signature matches exactly, so the debugger neither guesses nor reveals a right signature.
 */
import { createHash, createHmac } from 'node:crypto';
import type { signatureFindings, signedParts } from '@kurir/contracts/dashboard';
import { sha256Hex } from '@kurir/signing';

export type Finding = (typeof signatureFindings)[number];
export type SignedPart = (typeof signedParts)[number];

export type Signed = {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly body: string;
  readonly scheme: 1 | 2;
  /** Signed in scheme 2 only. */
  readonly deviceId: string | null;
  readonly idempotencyKey: string | null;
};

/** The parts of the text that is signed, by name and in their order. */
export function partsOf(signed: Signed): Partial<Record<SignedPart, string>> {
  const { method, target, timestamp, deviceId, idempotencyKey } = signed;
  const body_sha256 = sha256Hex(signed.body);
  if (signed.scheme === 1) return { method, target, timestamp, body_sha256 };
  const idempotency_key_sha256 = sha256Hex(idempotencyKey ?? '');
  return { version: 'v2', method, target, timestamp, device_id: deviceId ?? '', idempotency_key_sha256, body_sha256 };
}

const listParts = (signed: Signed): string[] => Object.values(partsOf(signed));

export const rightText = (signed: Signed): string => listParts(signed).join(':');

const withBody = (signed: Signed, body: string) => rightText({ ...signed, body });
const withTarget = (signed: Signed, target: string) => rightText({ ...signed, target });

/** Joins the parts with a changed or a missing one. */
function withPart(signed: Signed, part: SignedPart, changed: string | undefined): string {
  const values = Object.entries({ ...partsOf(signed), [part]: changed });
  return values.flatMap(([, value]) => (value === undefined ? [] : [value])).join(':');
}

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

function ordersOf(parts: readonly string[]): string[][] {
  if (parts.length < 2) return [[...parts]];
  return parts.flatMap((first, i) => ordersOf(parts.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/** Returns all orders of the parts after the method. */
function reordered(signed: Signed): string[] {
  const parts = listParts(signed);
  const fixed = parts.slice(0, signed.scheme);
  return ordersOf(parts.slice(signed.scheme)).map((rest) => [...fixed, ...rest].join(':'));
}

type WrongTexts = { readonly [F in Finding]?: (signed: Signed, publicUrl: string) => string[] };

const inSchemeTwo = (texts: (signed: Signed) => string[]) => (signed: Signed) =>
  signed.scheme === 2 ? texts(signed) : [];

const schemeTwoTexts: WrongTexts = {
  version_header_missing: (signed) => [rightText({ ...signed, scheme: 2 })],
  signed_in_scheme_1: (signed) => [rightText({ ...signed, scheme: 1 })],
  version_left_out: inSchemeTwo((signed) =>
    [undefined, '', '2', 'V2', 'v1'].map((version) => withPart(signed, 'version', version)),
  ),
  device_left_out: inSchemeTwo((signed) => [undefined, ''].map((device) => withPart(signed, 'device_id', device))),
  idempotency_key_left_out: inSchemeTwo((signed) =>
    [undefined, '', sha256Hex('')].map((hash) => withPart(signed, 'idempotency_key_sha256', hash)),
  ),
  idempotency_key_not_hashed: inSchemeTwo((signed) => [
    withPart(signed, 'idempotency_key_sha256', signed.idempotencyKey ?? ''),
  ]),
};

/** The texts that somebody signs by mistake. */
export const wrongTexts: WrongTexts = {
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
  body_hash_upper_case: (signed) => [withPart(signed, 'body_sha256', sha256Hex(signed.body).toUpperCase())],
  body_left_out: (signed) => [
    withPart(signed, 'body_sha256', undefined),
    withPart(signed, 'body_sha256', ''),
    withBody(signed, ''),
  ],
  body_not_hashed: (signed) => [withPart(signed, 'body_sha256', signed.body)],
  body_trimmed: (signed) => [withBody(signed, signed.body.trim())],
  body_with_newline: (signed) => [withBody(signed, `${signed.body}\n`), withBody(signed, `${signed.body}\r\n`)],
  body_reformatted: (signed) => reformatted(signed.body).map((body) => withBody(signed, body)),
  body_slashes_escaped: (signed) => [
    withBody(signed, signed.body.replaceAll('/', '\\/')),
    withBody(signed, signed.body.replaceAll('\\/', '/')),
  ],
  separator_newline: (signed) => [listParts(signed).join('\n')],
  separator_none: (signed) => [listParts(signed).join('')],
  parts_reordered: reordered,
  ...schemeTwoTexts,
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
