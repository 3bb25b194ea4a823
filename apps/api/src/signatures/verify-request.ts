/**
 * Step 1, verify: first checks what the headers tell, then the signature over the raw bytes. Returns a `KeyCaller`, or throws
 * a refusal that does not reveal the right signature. It may assume nothing about the request. It changes nothing, so
 * the same request passes again; a later step finds repeats.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, isTestKey, type PublicOperation, type Scope } from '@kurir/contracts';
import type { LiveApiKey } from '@kurir/database';
import {
  checkTimestamp,
  decodeSignature,
  requestWindow,
  sha256Hex,
  type SignedHeaders,
  verifyRequestSignature,
} from '@kurir/signing';
import type { ApiKeyCache } from './api-key-cache.js';
import type { KeyCaller } from './key-caller.js';
import { isAllowedIp } from './ip-allow-list.js';
import { readSignedHeaders } from './signed-headers.js';

export type Credentials = {
  readonly apiKey: string;
  readonly timestamp: string;
  readonly signature: string;
  /** Present in scheme 2 only. */
  readonly signedHeaders?: SignedHeaders | undefined;
};

function requireHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value === 'string' && value !== '') return value;
  throw new ApiError('MISSING_CREDENTIALS', `The header ${name} is missing. Send it with this request.`);
}

/** Returns whether the request has any part of a signature. */
export const hasCredentials = (headers: IncomingHttpHeaders): boolean =>
  ['x-api-key', 'x-timestamp', 'x-signature', 'x-signature-version'].some((name) => headers[name] !== undefined);

/** Returns the id as sent, or null if the operation needs none. Throws 401 if it is missing. */
export const readDeviceId = (headers: IncomingHttpHeaders, { device }: PublicOperation): string | null =>
  device ? requireHeader(headers, 'X-Device-Id') : null;

/**
 * Returns the headers that the operation requires. Throws 401 with the name of the first missing header, and for an
 * unknown scheme.
 */
export function readCredentials(headers: IncomingHttpHeaders, entry: PublicOperation): Credentials {
  const credentials = {
    apiKey: requireHeader(headers, 'X-API-Key'),
    timestamp: requireHeader(headers, 'X-Timestamp'),
    signature: requireHeader(headers, 'X-Signature'),
  };
  readDeviceId(headers, entry);
  return { ...credentials, signedHeaders: readSignedHeaders(headers) };
}

export type ReceivedRequest = {
  readonly entry: PublicOperation;
  readonly credentials: PlausibleCredentials;
  readonly method: string;
  /** Path and query exactly as sent. */
  readonly target: string;
  readonly body: Buffer;
  /** Called only if the key has an allow-list. */
  readonly ip: () => string | undefined;
};

function checkWindow(timestamp: string, nowMs: number): void {
  const check = checkTimestamp(timestamp, nowMs);
  if (check.outcome === 'ok') return;
  const serverTime = `The server's time is ${Math.floor(nowMs / 1000)} (${new Date(nowMs).toISOString()})`;
  const problem =
    check.outcome === 'malformed'
      ? 'X-Timestamp must be unix seconds (10 digits) or milliseconds (13 digits)'
      : `X-Timestamp is off by ${check.skewSeconds} s. It may be up to ${requestWindow.maxPastSeconds} s in the past or ${requestWindow.maxFutureSeconds} s in the future`;
  throw new ApiError('TIMESTAMP_OUT_OF_RANGE', `${problem}. ${serverTime}. Set your clock and sign again.`);
}

/** The parts that only scheme 2 signs, as the server received them. */
function describeHeaders({ deviceId, idempotencyKey }: SignedHeaders): string {
  return `device id ${deviceId ?? '(none)'}, Idempotency-Key SHA-256 ${sha256Hex(idempotencyKey ?? '')}, `;
}

function invalidSignature({ method, target, credentials }: ReceivedRequest, bodySha256: string): ApiError {
  const { timestamp, signedHeaders } = credentials;
  const scheme = signedHeaders === undefined ? '' : ' in scheme 2';
  const headers = signedHeaders === undefined ? '' : describeHeaders(signedHeaders);
  return new ApiError(
    'INVALID_SIGNATURE',
    `X-Signature does not match what the server received${scheme}: method ${method}, target ${target}, ` +
      `timestamp ${timestamp}, ${headers}body SHA-256 ${bodySha256}. Compare each with what you signed, then check the secret.`,
  );
}

const hasScope = ({ scopes }: LiveApiKey, scope: Scope): boolean => scopes.length === 0 || scopes.includes(scope);

const lacksScope = (scope: Scope) =>
  new ApiError('KEY_NOT_ALLOWED', `This key lacks the scope ${scope}. Use another key, or add the scope to this one.`);

const onlyLive = () =>
  new ApiError(
    'KEY_NOT_ALLOWED',
    'This is a test key. The operation concerns the whole account, so it needs a live key.',
  );

const suspended = () =>
  new ApiError(
    'ACCOUNT_SUSPENDED',
    'The operator of this gateway has suspended the account. Its keys may do nothing until that ends. The dashboard says why.',
  );

function checkAllowed(key: LiveApiKey, { entry, ip }: ReceivedRequest): void {
  if (key.suspended) throw suspended();
  if (!hasScope(key, entry.scope)) throw lacksScope(entry.scope);
  if (isTestKey(key.id) && entry.testKeys === 'never') throw onlyLive();
  if (key.allowedIps.length > 0 && !isAllowedIp(ip(), key.allowedIps))
    throw new ApiError(
      'KEY_NOT_ALLOWED',
      `This key may not be used from ${ip() ?? 'this address'}. Add the address to its allow-list.`,
    );
}

/** Returns the first secret of the key that signed the request. */
function findSecret(key: LiveApiKey, request: ReceivedRequest, bodySha256: string) {
  const { credentials, method, target } = request;
  const { timestamp, signature, signedHeaders } = credentials;
  const secrets = key.secrets.map((live) => live.secret);
  const matched = verifyRequestSignature({ method, target, timestamp, signedHeaders, bodySha256, signature, secrets });
  return matched === null ? undefined : key.secrets[matched];
}

/**
 * Returns the unix second of the signing in 4 bytes, followed by the signature. The signature is decoded, because
 * upper-case hex is the same signature. The time comes first, so that new keys go to the same pages of their index.
 */
function repeatKeyOf(timestamp: string, signature: Buffer): Buffer {
  const second = Buffer.alloc(4);
  // The timestamp has ten digits of seconds, or thirteen of milliseconds.
  second.writeUInt32BE(Number(timestamp.slice(0, 10)));
  return Buffer.concat([second, signature]);
}

/** Credentials that may be right, as far as the headers tell. */
export type PlausibleCredentials = Credentials & { readonly key: LiveApiKey; readonly signatureBytes: Buffer };

/**
 * Throws 401 for a time outside the window, a signature that is none, or a key that does not exist. The headers tell, so
 * the server calls it before it keeps a byte of the body.
 */
export async function checkCredentials(
  keys: ApiKeyCache,
  credentials: Credentials,
  nowMs: number,
): Promise<PlausibleCredentials> {
  checkWindow(credentials.timestamp, nowMs);
  const signatureBytes = decodeSignature(credentials.signature);
  if (signatureBytes === null)
    throw new ApiError(
      'INVALID_SIGNATURE',
      'X-Signature must be 64 hexadecimal digits: the HMAC-SHA256 of method, target, timestamp and body hash.',
    );
  const key = await keys.read(credentials.apiKey);
  if (key === null) throw unknownKey();
  return { ...credentials, key, signatureBytes };
}

const unknownKey = () =>
  new ApiError('INVALID_API_KEY', 'X-API-Key is unknown or revoked. Use an active key of your account.');

/** Returns the refusal of a key that was revoked or suspended, or lost the scope, while its request is served. Otherwise null. */
export async function refusalOfKey(keys: ApiKeyCache, keyId: string, scope: Scope): Promise<ApiError | null> {
  const key = await keys.read(keyId);
  if (key === null) return unknownKey();
  if (key.suspended) return suspended();
  return hasScope(key, scope) ? null : lacksScope(scope);
}

/** Returns the caller, or throws 401 or 403. */
export async function verifyRequest(keys: ApiKeyCache, request: ReceivedRequest): Promise<KeyCaller> {
  const { credentials, body } = request;
  const bodySha256 = sha256Hex(body);
  // The upload may have taken long: a key that was revoked meanwhile counts no more.
  let key = await keys.read(credentials.key.id);
  if (key === null) throw unknownKey();
  let secret = findSecret(key, request, bodySha256);
  if (secret === undefined) {
    // Another process may have just made a new secret.
    key = await keys.readAnew(key.id);
    if (key === null) throw unknownKey();
    secret = findSecret(key, request, bodySha256);
  }
  if (secret === undefined) throw invalidSignature(request, bodySha256);
  checkAllowed(key, request);
  const repeatKey = repeatKeyOf(credentials.timestamp, credentials.signatureBytes);
  const { accountId, country, id: actor, scopes } = key;
  return { by: 'key', accountId, country, actor, repeatKey, secretVersion: secret.version, scopes };
}
