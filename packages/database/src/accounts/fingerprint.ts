/**
 * What makes two requests under one `client_ref` the same. A fingerprint is made from the whole parsed request, without the
 * fields that were left out or have their default: a new field can neither be forgotten nor break the repeat of an older
 * request. It is an HMAC under a key of the account, because a bare hash of a six-digit code gives the code away.
 *
 * The first byte of a stored fingerprint is its version. A repeat is compared under the version of the first request. Version
 * 0 has no such byte: a bare SHA-256 of 32 bytes.
 */
import { createHmac, hash, type KeyObject } from 'node:crypto';
import { type DeviceId, defaultTtlSeconds, type SendInput } from '@kurir/contracts';

export type FingerprintVersion = 0 | 1;

/** What a request was, and how its fingerprint of version 0 was made. */
export type Fingerprinted = { readonly fields: object; readonly oldFields: () => readonly unknown[] };

/** The keys in one order; without what is undefined. */
function canonical(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([name, field]) => [name, canonical(field)]));
}

/** A fingerprint as it is stored. */
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

/** Whether a stored fingerprint is that of this request. False for a version that is not known here. */
export function hasFingerprint(key: KeyObject, request: Fingerprinted, stored: Buffer): boolean {
  const version = stored.length === bareHashBytes ? 0 : stored[0];
  return (version === 0 || version === 1) && fingerprintOf(key, request, version).equals(stored);
}

/** What each field is where a request leaves it out; undefined where it cannot. */
const defaults: { readonly [F in keyof SendInput]: (input: SendInput) => SendInput[F] | undefined } = {
  content: () => undefined,
  recipient: () => undefined,
  clientRef: () => null,
  priority: () => 'normal',
  ttlSeconds: ({ priority }) => defaultTtlSeconds(priority),
  sendAt: () => null,
};

function withoutDefaults(input: SendInput): object {
  const isChosen = ([name, value]: [string, unknown]) => value !== defaults[name as keyof SendInput](input);
  return Object.fromEntries(Object.entries(input).filter(isChosen));
}

/** A message belongs to the device that it was sent through. */
export const messageAsked = ({
  deviceId,
  input,
}: {
  readonly deviceId: DeviceId;
  readonly input: SendInput;
}): Fingerprinted => ({
  fields: { deviceId, ...withoutDefaults(input) },
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
