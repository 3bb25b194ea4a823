/** The proxy of a device. Its address may hold a password, so it is stored sealed and shown without the password. */
import type { DeviceId } from '@kurir/contracts';
import { RecordUnreadable, type Sealer } from '../postgres/sealer.js';

export const proxyAad = (deviceId: string) => `device-proxy|${deviceId}`;

export function sealDeviceProxy(sealer: Sealer, deviceId: DeviceId, url: string | null): Buffer | null {
  return url === null ? null : sealer.seal(Buffer.from(url), proxyAad(deviceId));
}

/** Throws `RecordUnreadable` if the value is damaged or sealed under another master key. */
export function openDeviceProxy(sealer: Sealer, deviceId: DeviceId, sealed: Uint8Array): string {
  return sealer.open(sealed, proxyAad(deviceId)).toString();
}

/** `socks5://user@host:1080`: everything but the password. */
export function withoutPassword(proxyUrl: string): string {
  const url = new URL(proxyUrl);
  url.password = '';
  // URL adds a slash to http addresses only.
  return url.href.replace(/\/$/, '');
}

/**
 * The address without its password. `unreadable` if the stored value cannot be opened; the device then cannot connect.
 */
export function showDeviceProxy(sealer: Sealer, deviceId: DeviceId, sealed: Uint8Array): string {
  try {
    return withoutPassword(openDeviceProxy(sealer, deviceId, sealed));
  } catch (error) {
    if (error instanceof RecordUnreadable) return 'unreadable';
    throw error;
  }
}
