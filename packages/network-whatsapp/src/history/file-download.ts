/** Fetches an encrypted file of WhatsApp's: through the device's proxy if it has one, and never around it. */
import { fetchBytes } from '@kurir/address-guard';
import { getUrlFromDirectPath } from 'baileys';
import type { DriverSettings } from '../driver-settings.js';

const MAX_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Rejects with `FetchFailed`. */
export function downloadFile(
  { mediaHost, privateProxies }: Pick<DriverSettings, 'mediaHost' | 'privateProxies'>,
  directPath: string,
  proxyUrl: string | undefined,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const url = getUrlFromDirectPath(directPath, mediaHost?.address);
  return fetchBytes(url, {
    privateAddresses: mediaHost === null ? 'refuse' : 'allow',
    certificate: mediaHost?.certificate,
    privateProxies,
    proxyUrl,
    maxBytes: MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}
