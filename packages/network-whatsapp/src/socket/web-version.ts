/** Versions of WhatsApp's web client: how they are written and compared, and how to fetch the newest one. */
import { type FetchOptions, fetchText } from '@kurir/address-guard';
import { DEFAULT_CONNECTION_CONFIG } from 'baileys';

/** For example `2.3000.1043857760`. The last number is the client's revision, which only grows. */
export type WebVersion = `${number}.${number}.${number}`;
type Numbers = readonly [number, number, number];

const FORM = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})$/;
/** The network reads each number as 32 bits. */
const GREATEST = 2 ** 32 - 1;

export function isWebVersion(text: string): text is WebVersion {
  return numbersIn(text) !== null;
}

/** The version as Baileys takes it. */
export function numbersOf(version: WebVersion): [number, number, number] {
  const numbers = numbersIn(version);
  if (numbers === null) throw new Error('no version of the web client');
  return [...numbers];
}

function numbersIn(text: string): Numbers | null {
  const [, ...parts] = FORM.exec(text) ?? [];
  const [primary, secondary, tertiary] = parts.map(Number);
  if (primary === undefined || secondary === undefined || tertiary === undefined) return null;
  return Math.max(primary, secondary, tertiary) > GREATEST ? null : [primary, secondary, tertiary];
}

export function isNewerVersion(version: WebVersion, than: WebVersion): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)];
  const differing = ours.findIndex((part, i) => part !== theirs[i]);
  return differing !== -1 && (ours[differing] ?? 0) > (theirs[differing] ?? 0);
}

const [primary, secondary, revision] = DEFAULT_CONNECTION_CONFIG.version;

/** The version that this release of Baileys has built in. */
export const builtInVersion: WebVersion = `${primary}.${secondary}.${revision}`;

/**
 * The URL at which the web client of this server says its revision. `https://web.whatsapp.com/sw.js` belongs to
 * `wss://web.whatsapp.com/ws/chat`.
 */
export function versionUrlOf(webSocketUrl: string): string {
  const url = new URL('/sw.js', webSocketUrl);
  return url.href.replace(/^ws/, 'http');
}

/**
 * The service worker's script holds JSON in a string, so its quotes may be escaped. The name and the headers are those
 * of Baileys' `fetchLatestWaWebVersion` (src/Utils/generics.ts). WhatsApp does not serve the file without them.
 */
const REVISION = /\\?"client_revision\\?"\s*:\s*(\d{1,10})(?!\d)/;
const HEADERS = {
  'sec-fetch-site': 'none',
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
};
const MAX_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 15_000;

export type WebVersionOptions = Pick<FetchOptions, 'privateAddresses' | 'proxyUrl' | 'signal'> &
  Partial<Pick<FetchOptions, 'timeoutMs'>> & { readonly url: string };

/**
 * Fetches the version of the web client. Rejects when the script cannot be fetched or contains no version. The error
 * holds no secret.
 */
export async function fetchWebVersion({ url, ...options }: WebVersionOptions): Promise<WebVersion> {
  const script = await fetchText(url, { headers: HEADERS, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, ...options });
  const [, found] = REVISION.exec(script) ?? [];
  const version = `${primary}.${secondary}.${Number(found)}`;
  if (found === undefined || !isWebVersion(version)) throw new Error('the web client says no version');
  return version;
}
