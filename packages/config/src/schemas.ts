/** The schemas of settings, which read the text of the environment. */
import { parseKeys } from '@kurir/signing';
import { z } from 'zod';

export const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be an address starting with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`,
  });

export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^[0-9]{1,9}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

/** A number from 0 to 1. */
export const share = z
  .string()
  .regex(/^([01]|[01]?\.[0-9]{1,9})$/, 'must be a number from 0 to 1')
  .transform(Number)
  .refine((value) => value <= 1, 'must be a number from 0 to 1');

/**
 * Headers as OpenTelemetry writes them: `name=value` with commas between them, the values percent-encoded. The error
 * shows no value.
 */
export const headers = z.string().transform((text, context): Readonly<Record<string, string>> => {
  const message = 'must be headers like name=value, with commas between them and percent-encoded values';
  const pairs = text.split(',').map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]+)\s*$/.exec(pair));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = pair ?? [];
        const decoded = decodeURIComponent(value ?? '');
        if (name === undefined || !/^[\x20-\x7e]+$/.test(decoded)) throw new Error(message);
        return [name.toLowerCase(), decoded];
      }),
    );
  } catch {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((text) => text === 'true' || text === '1');

export const pooler = z.enum(['none', 'transaction', 'transaction-prepared'], {
  error: 'must be none, transaction or transaction-prepared',
});

/** KeyObjects, so that no log or error prints the bytes by accident. */
export const keys = z.string().transform((text, context) => {
  try {
    return parseKeys(text);
  } catch {
    const message =
      'must be 32 bytes in base64, or several such keys, each once, with commas between them; make one with: openssl rand -base64 32';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
});

/** A public key, as bytes for a driver. */
export const rootKey = z
  .base64({ error: 'must be 32 bytes in base64' })
  .transform((text): Uint8Array => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64');

/** A version like `2.3000.1043857760`. Each number has 32 bits on the wire. */
export const clientVersion = z.custom<`${number}.${number}.${number}`>((value) => {
  const [, ...numbers] = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/.exec(String(value)) ?? [];
  return numbers.length === 3 && numbers.every((number) => Number(number) < 2 ** 32);
}, 'must be a version like 2.3000.1043857760');

/** The parts of the work of workers. Each must run somewhere; several workers may have the same one. */
export const workerRoles = ['devices', 'webhooks', 'broadcasts'] as const;
export type WorkerRole = (typeof workerRoles)[number];

const isRole = (word: string): word is WorkerRole => workerRoles.some((role) => role === word);

export const roles = z.string().transform((text, context): readonly WorkerRole[] => {
  const words = text.split(',');
  const known = words.filter(isRole);
  if (known.length === words.length && new Set(known).size === known.length) return known;
  const message = `must be one or more of ${workerRoles.join(', ')}, each once, with commas between them`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const proxy = url('http', 'socks5');
export const lookupWay = z
  .string()
  .refine(
    (text) => text === 'direct' || text === 'off' || proxy.safeParse(text).success,
    'must be direct, off or the address of a proxy, starting with http:// or socks5://',
  );

/** A name of a few letters, digits and hyphens. */
export const word = z.string().regex(/^[\w-]{1,64}$/);
