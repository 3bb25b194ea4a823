/** Computes the gateway's signature in the page, so that a typed secret does not leave the page. */

const encoder = new TextEncoder();

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

export type SignedParts = {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly body: string;
  /** The text of X-Signature-Version. Empty: the request has none. */
  readonly version: string;
  /** Signed in scheme 2 only. Empty: the request has none. */
  readonly deviceId: string;
  readonly idempotencyKey: string;
};

export type PartName = 'version' | 'method' | 'target' | 'timestamp' | 'deviceId' | 'keyHash' | 'bodyHash';

/** One part of the text that is signed. */
export type Part = { readonly name: PartName; readonly text: string };

export const isKnownVersion = (version: string): boolean => ['', '1', '2'].includes(version);

/** A misspelt version means the scheme whose number it has. */
export const isSchemeTwo = ({ version }: Pick<SignedParts, 'version'>): boolean => version.includes('2');

export const sha256Hex = async (text: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

/** Returns the parts in the order in which they are signed. */
export async function partsOf(signed: SignedParts): Promise<Part[]> {
  const { method, target, timestamp, deviceId, idempotencyKey, body } = signed;
  const begin: Part[] = [
    { name: 'method', text: method },
    { name: 'target', text: target },
    { name: 'timestamp', text: timestamp },
  ];
  const end: Part = { name: 'bodyHash', text: await sha256Hex(body) };
  if (!isSchemeTwo(signed)) return [...begin, end];
  return [
    { name: 'version', text: 'v2' },
    ...begin,
    { name: 'deviceId', text: deviceId },
    { name: 'keyHash', text: await sha256Hex(idempotencyKey) },
    end,
  ];
}

export const joined = (parts: readonly Part[]): string => parts.map(({ text }) => text).join(':');

export const stringToSign = async (signed: SignedParts): Promise<string> => joined(await partsOf(signed));

export async function signatureOf(text: string, secret: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return hexOf(await crypto.subtle.sign('HMAC', key, encoder.encode(text)));
}
