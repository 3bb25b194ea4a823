/** Fetches an encrypted file from WhatsApp's media host. If the device has a proxy, every download goes through it. */
import { fetchBytes } from '@kurir/address-guard';
import { getUrlFromDirectPath } from 'baileys';
import type { DriverSettings } from '../socket/driver-settings.js';

const TIMEOUT_MS = 120_000;

export type WantedFile = {
  /** Its path at the network's media host. */
  readonly directPath: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};

/** Rejects when the file cannot be fetched or is bigger than `maxBytes`. */
export type Download = (file: WantedFile) => Promise<Uint8Array>;

export function createDownload(
  { mediaHost, privateProxies }: Pick<DriverSettings, 'mediaHost' | 'privateProxies'>,
  proxyUrl: string | undefined,
): Download {
  return ({ directPath, maxBytes, signal }) =>
    fetchBytes(getUrlFromDirectPath(directPath, mediaHost?.address), {
      privateAddresses: mediaHost === null ? 'refuse' : 'allow',
      certificate: mediaHost?.certificate,
      privateProxies,
      proxyUrl,
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      signal,
    });
}
