/** Fetches an encrypted file of WhatsApp's: through the device's proxy if it has one, and never around it. */
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

/** Rejects when it cannot be had, or is bigger than that. */
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
