/** Opens the versions of WhatsApp's web client as the settings say: pinned or not, and how to look the version up. */
import type { SettingsOf } from '@kurir/config';
import type { Database } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import { builtInVersion, fetchWebVersion, versionUrlOf, type WebVersion } from '@kurir/network-whatsapp';
import { WebVersions } from './web-versions.js';

type Settings = Pick<
  SettingsOf<'worker'>,
  'KURIR_WHATSAPP_URL' | 'KURIR_WHATSAPP_VERSION' | 'KURIR_WHATSAPP_VERSION_FETCH' | 'KURIR_PROXY_PRIVATE_ADDRESSES'
>;

export function openWebVersions(settings: Settings, database: Database, log: Logger): Promise<WebVersions> {
  return WebVersions.open({
    database,
    builtIn: builtInVersion,
    pinned: settings.KURIR_WHATSAPP_VERSION ?? null,
    lookUp: lookUpBy(settings),
    unlessProxied: settings.KURIR_WHATSAPP_VERSION_FETCH === undefined,
    log,
  });
}

/** Returns null if the settings turn lookups off. */
export function lookUpBy(
  settings: Omit<Settings, 'KURIR_WHATSAPP_VERSION'>,
): ((signal: AbortSignal) => Promise<WebVersion>) | null {
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
