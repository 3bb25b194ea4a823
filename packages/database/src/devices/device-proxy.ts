/** A device's outbound proxy. Its address may hold a password, so it is sealed, and shown without. */
import type { DeviceId } from '@kurir/contracts';
import { RecordUnreadable, type Sealer } from '../postgres/sealer.js';

const aadOf = (deviceId: DeviceId) => `device-proxy|${deviceId}`;

export function sealDeviceProxy(sealer: Sealer, deviceId: DeviceId, url: string | null): Buffer | null {
  return url === null ? null : sealer.seal(Buffer.from(url), aadOf(deviceId));
}

/** Throws `RecordUnreadable` when it was damaged or sealed under another master key. */
export function openDeviceProxy(sealer: Sealer, deviceId: DeviceId, sealed: Uint8Array): string {
  return sealer.open(sealed, aadOf(deviceId)).toString();
}

/** `socks5://user@host:1080`: everything but the password. */
export function withoutPassword(proxyUrl: string): string {
  const url = new URL(proxyUrl);
  url.password = '';
  // URL adds a slash to http addresses only.
  return url.href.replace(/\/$/, '');
}

/** For people: without its password; `unreadable` where a damaged one stops the device. */
export function showDeviceProxy(sealer: Sealer, deviceId: DeviceId, sealed: Uint8Array): string {
  try {
    return withoutPassword(openDeviceProxy(sealer, deviceId, sealed));
  } catch (error) {
    if (error instanceof RecordUnreadable) return 'unreadable';
    throw error;
  }
}
