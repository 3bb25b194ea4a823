/** How the settings let a worker ask WhatsApp's web client for its version. */
import type { SettingsOf } from '@kurir/config';
import { fetchWebVersion, versionUrlOf, type WebVersion } from '@kurir/network-whatsapp';

type Settings = Pick<
  SettingsOf<'worker'>,
  'KURIR_WHATSAPP_URL' | 'KURIR_WHATSAPP_VERSION_FETCH' | 'KURIR_PROXY_PRIVATE_ADDRESSES'
>;

/** Null: nobody is asked. */
export function lookUpBy(settings: Settings): ((signal: AbortSignal) => Promise<WebVersion>) | null {
  const way = settings.KURIR_WHATSAPP_VERSION_FETCH ?? 'direct';
  if (way === 'off') return null;
  return (signal) =>
    fetchWebVersion({
      url: versionUrlOf(settings.KURIR_WHATSAPP_URL),
      privateAddresses: settings.KURIR_PROXY_PRIVATE_ADDRESSES,
      ...(way === 'direct' ? {} : { proxyUrl: way }),
      signal,
    });
}
