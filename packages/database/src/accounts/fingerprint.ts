/**
 * A fingerprint tells whether two requests with one `client_ref` are the same. It covers the whole parsed request,
 * without fields that are absent or have their default. So nobody can forget a new field, and a new field does not
 * break the repeat of an older request. The fingerprint is an HMAC under a key of the account: anyone could guess a
 * short code from a bare hash.
 *
 * The first byte of a stored fingerprint is its version. A repeat is compared in the version of the first request.
 * Version 0 has no such byte: it is a bare SHA-256.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { defaultCategory, type DeviceId, defaultTtlSeconds, type SendInput } from '@kurir/contracts';

export type FingerprintVersion = 0 | 1;

/** The fields of a request, and the list of fields that version 0 hashed. */
export type Fingerprinted = { readonly fields: object; readonly oldFields: () => readonly unknown[] };

/** Sorts the keys and leaves undefined fields out, so that equal values have equal JSON. */
function canonical(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, field]) => [name, canonical(field)]));
}

/** The fingerprint as it is stored. */
export function fingerprintOf(
  key: KeyObject,
  { fields, oldFields }: Fingerprinted,
  version: FingerprintVersion,
): Buffer {
  if (version === 0) return hash('sha256', JSON.stringify(oldFields()), 'buffer');
  const mac = createHmac('sha256', key)
    .update(JSON.stringify(canonical(fields)))
    .digest();
  return Buffer.concat([Buffer.of(version), mac]);
}

const bareHashBytes = 32;

/**
 * Returns true if the stored fingerprint is that of this request. Returns false for a version that this code does not
 * know.
 */
export function hasFingerprint(key: KeyObject, request: Fingerprinted, stored: Buffer): boolean {
  const version = stored.length === bareHashBytes ? 0 : stored[0];
  return (version === 0 || version === 1) && fingerprintOf(key, request, version).equals(stored);
}

/** The default of each field; undefined if a request must name the field. */
const defaults: { readonly [F in keyof SendInput]-?: (input: SendInput) => SendInput[F] | undefined } = {
  content: () => undefined,
  // A conversation may get another recipient, when the number of its person becomes known.
  recipient: ({ conversationId, recipient }) => (conversationId === undefined ? undefined : recipient),
  clientRef: () => null,
  priority: () => 'normal',
  category: ({ priority }) => defaultCategory(priority),
  ttlSeconds: ({ priority }) => defaultTtlSeconds(priority),
  sendAt: () => null,
  conversationId: () => undefined,
  replyTo: () => undefined,
};

function withoutDefaults(input: SendInput): object {
  const isChosen = ([name, value]: [string, unknown]) => value !== defaults[name as keyof SendInput](input);
  return Object.fromEntries(Object.entries(input).filter(isChosen));
}

/** Includes the device: the same message through another device is another message. */
export const messageAsked = ({
  deviceId,
  input,
}: {
  readonly deviceId: DeviceId;
  readonly input: SendInput;
}): Fingerprinted => ({
  // The id of the quoted message stands in `replyTo`; its text may be erased.
  fields: { deviceId, ...withoutDefaults({ ...input, content: { ...input.content, replyTo: undefined } }) },
  oldFields: () => [
    deviceId,
    // Version 0 knew texts only.
    'text' in input.content ? input.content.text : null,
    input.recipient,
    input.clientRef,
    input.priority,
    input.ttlSeconds,
    input.sendAt?.toISOString() ?? null,
  ],
});
