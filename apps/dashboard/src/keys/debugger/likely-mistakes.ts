/**
 * Tries each likely mistake of a signature and compares the result with the given signature. This needs the secret,
 * which does not leave the page.
 */
import { bodyHash, type SignedParts, signatureOf } from './signing.js';

export const mistakes = [
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

async function attemptsFor({ method, target, timestamp, body }: SignedParts, secret: string): Promise<Attempt[]> {
  const hash = await bodyHash(body);
  const bodies = await Promise.all(
    bodyVariants(body).map(async ([mistake, text]) => ({
      mistake,
      text: `${method}:${target}:${timestamp}:${await bodyHash(text)}`,
    })),
  );
  const right = `${method}:${target}:${timestamp}:${hash}`;
  return [
    { mistake: 'method_case', text: `${method.toLowerCase()}:${target}:${timestamp}:${hash}` },
    ...targetVariants(target).map(([mistake, text]) => ({ mistake, text: `${method}:${text}:${timestamp}:${hash}` })),
    { mistake: 'timestamp_unit', text: `${method}:${target}:${otherUnit(timestamp)}:${hash}` },
    ...bodies,
    { mistake: 'body_left_out', text: `${method}:${target}:${timestamp}` },
    { mistake: 'body_left_out', text: `${method}:${target}:${timestamp}:` },
    { mistake: 'body_not_hashed', text: `${method}:${target}:${timestamp}:${body}` },
    { mistake: 'hash_upper_case', text: `${method}:${target}:${timestamp}:${hash.toUpperCase()}` },
    { mistake: 'separator_newline', text: [method, target, timestamp, hash].join('\n') },
    { mistake: 'separator_none', text: [method, target, timestamp, hash].join('') },
    { mistake: 'secret_trimmed', text: right, secret: secret.replace(/^ks_(live|test)_/, '') },
    { mistake: 'secret_trimmed', text: right, secret: `${secret}\n` },
  ];
}

/** Returns the mistake that produces the given signature, or null if none does. Upper and lower case hex are equal. */
export async function findMistake(parts: SignedParts, secret: string, signature: string): Promise<Mistake | null> {
  const wanted = signature.trim().toLowerCase();
  for (const attempt of await attemptsFor(parts, secret)) {
    if ((await signatureOf(attempt.text, attempt.secret ?? secret)) === wanted) return attempt.mistake;
  }
  return null;
}
