/**
 * Tries each likely mistake of a signature and compares the result with the given signature. This needs the secret,
 * which does not leave the page.
 */
import { joined, type Part, type PartName, partsOf, sha256Hex, type SignedParts, signatureOf } from './signing.js';

export const mistakes = [
  'version_unknown',
  'version_header',
  'scheme_one',
  'version_left_out',
  'device_left_out',
  'key_left_out',
  'key_not_hashed',
  'parts_order',
  'method_case',
  'target_without_query',
  'target_with_host',
  'target_slash',
  'target_decoded',
  'timestamp_unit',
  'body_left_out',
  'body_not_hashed',
  'body_trimmed',
  'body_newline',
  'body_reformatted',
  'body_slashes',
  'hash_upper_case',
  'separator_newline',
  'separator_none',
  'secret_trimmed',
] as const;
export type Mistake = (typeof mistakes)[number];

type Attempt = { readonly mistake: Mistake; readonly text: string; readonly secret?: string };

const reformatted = (body: string, spaces: number): string | null => {
  try {
    return JSON.stringify(JSON.parse(body), null, spaces);
  } catch {
    return null;
  }
};

const decoded = (target: string): string => {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
};

const otherUnit = (timestamp: string): string => (timestamp.length > 11 ? timestamp.slice(0, -3) : `${timestamp}000`);

function targetVariants(target: string): [Mistake, string][] {
  const [path = ''] = target.split('?');
  return [
    ['target_without_query', path],
    ['target_with_host', `${globalThis.location?.origin ?? ''}${target}`],
    ['target_slash', target.endsWith('/') ? target.slice(0, -1) : `${target}/`],
    ['target_decoded', decoded(target)],
  ];
}

function bodyVariants(body: string): [Mistake, string][] {
  const bodies: [Mistake, string | null][] = [
    ['body_left_out', ''],
    ['body_trimmed', body.trim()],
    ['body_newline', body.endsWith('\n') ? body.slice(0, -1) : `${body}\n`],
    ['body_reformatted', reformatted(body, 0)],
    ['body_reformatted', reformatted(body, 2)],
    ['body_slashes', body.replaceAll('\\/', '/')],
    ['body_slashes', body.replaceAll('\\/', '/').replaceAll('/', '\\/')],
  ];
  return bodies.flatMap(([mistake, text]) => (text === null || text === body ? [] : [[mistake, text]]));
}

/** Joins the parts with a changed or a missing one. */
const withPart = (parts: readonly Part[], name: PartName, text: string | null): string =>
  joined(parts.flatMap((part) => (part.name !== name ? [part] : text === null ? [] : [{ name, text }])));

function ordersOf(parts: readonly Part[]): Part[][] {
  if (parts.length < 2) return [[...parts]];
  return parts.flatMap((first, i) => ordersOf(parts.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/** All orders of the parts after the method. */
function reordered(parts: readonly Part[]): Attempt[] {
  const from = parts.findIndex(({ name }) => name === 'target');
  return ordersOf(parts.slice(from)).map((rest) => ({
    mistake: 'parts_order',
    text: joined([...parts.slice(0, from), ...rest]),
  }));
}

async function schemeTwoAttempts(parts: readonly Part[], { idempotencyKey }: SignedParts): Promise<Attempt[]> {
  const changed = (mistake: Mistake, name: PartName, texts: readonly (string | null)[]): Attempt[] =>
    texts.map((text) => ({ mistake, text: withPart(parts, name, text) }));
  return [
    ...changed('version_left_out', 'version', [null, '', '2', 'V2', 'v1']),
    ...changed('device_left_out', 'deviceId', [null, '']),
    ...changed('key_left_out', 'keyHash', [null, '', await sha256Hex('')]),
    ...changed('key_not_hashed', 'keyHash', [idempotencyKey]),
  ];
}

async function attemptsFor(signed: SignedParts, secret: string): Promise<Attempt[]> {
  const { method, target, timestamp, body } = signed;
  const parts = await partsOf(signed);
  const right = joined(parts);
  const texts = parts.map(({ text }) => text);
  const hash = await sha256Hex(body);
  const bodies = await Promise.all(
    bodyVariants(body).map(async ([mistake, text]) => ({
      mistake,
      text: withPart(parts, 'bodyHash', await sha256Hex(text)),
    })),
  );
  const attempts: Attempt[] = [
    { mistake: 'version_header', text: joined(await partsOf({ ...signed, version: '2' })) },
    { mistake: 'scheme_one', text: joined(await partsOf({ ...signed, version: '' })) },
    ...(await schemeTwoAttempts(parts, signed)),
    { mistake: 'method_case', text: withPart(parts, 'method', method.toLowerCase()) },
    ...targetVariants(target).map(([mistake, text]) => ({ mistake, text: withPart(parts, 'target', text) })),
    { mistake: 'timestamp_unit', text: withPart(parts, 'timestamp', otherUnit(timestamp)) },
    ...bodies,
    { mistake: 'body_left_out', text: withPart(parts, 'bodyHash', null) },
    { mistake: 'body_left_out', text: withPart(parts, 'bodyHash', '') },
    { mistake: 'body_not_hashed', text: withPart(parts, 'bodyHash', body) },
    { mistake: 'hash_upper_case', text: withPart(parts, 'bodyHash', hash.toUpperCase()) },
    { mistake: 'separator_newline', text: texts.join('\n') },
    { mistake: 'separator_none', text: texts.join('') },
    ...reordered(parts),
  ];
  return [
    ...attempts.filter(({ text }) => text !== right),
    { mistake: 'secret_trimmed', text: right, secret: secret.replace(/^ks_(live|test)_/, '') },
    { mistake: 'secret_trimmed', text: right, secret: `${secret}\n` },
  ];
}

/** Returns the mistake that produces the given signature, or null if none does. Upper and lower case hex are equal. */
export async function findMistake(signed: SignedParts, secret: string, signature: string): Promise<Mistake | null> {
  const wanted = signature.trim().toLowerCase();
  for (const attempt of await attemptsFor(signed, secret)) {
    if ((await signatureOf(attempt.text, attempt.secret ?? secret)) === wanted) return attempt.mistake;
  }
  return null;
}
