import { isLinkFailure, linkFailures } from './link-failures.js';

const olderClient = (version: string) =>
  `The network refuses ${version} of its client. Unless KURIR_WHATSAPP_VERSION pins it, this gateway looks for a newer one by itself`;
const operatorsWay = 'If it finds none, its operator sets KURIR_WHATSAPP_VERSION to a newer one, or updates Kurir.';

const connectsAsNewer = (version: string) => `${olderClient(version)} and connects with it at once. ${operatorsWay}`;

/** Why a device is in its state, in words that stay, and what that means for the person who reads it. */
export const deviceReasons = {
  connection_lost: 'The connection to the network broke. It is opened again by itself.',
  restart_required: 'The network asked for a new connection. It is opened by itself.',
  network_unavailable: 'The network cannot be reached or has no room. It is tried again by itself.',
  rate_limited_by_network:
    'The network takes no connection from the address of this gateway, or of its proxy, for a while. It connects again by itself.',
  proxy_failed:
    'Its proxy is not there, refuses Kurir or does not let it through. It is tried again by itself; check the proxy.',
  proxy_not_allowed:
    'Its proxy stands on an address inside a network (private, loopback or link-local), to which this gateway makes no connection. Set a proxy with a public address; its operator may allow others with KURIR_PROXY_PRIVATE_ADDRESSES.',
  replaced: 'Something else connected with the credentials of this device. It connects again by itself.',
  contested:
    'Something else keeps connecting with the credentials of this device, perhaps from a second copy of the database of this gateway. Kurir does not connect any more, and what waits stays. Stop the other one, then reconnect the device; or disconnect the device and link it again.',
  closed_by_us: 'The connection was closed for a moment. It is opened again by itself.',
  temporarily_banned: 'The network has banned the account for a time. It connects again by itself when that is over.',
  banned:
    'The network has closed the account. The app on its phone says why, and takes an appeal. Link the device again once the account is back.',
  logged_out: 'The device is not linked any more. Link it again to send with it.',
  credentials_invalid: 'What is stored of the device is of no use any more. Link it again.',
  credentials_unreadable:
    'What is stored of the device cannot be read. Start Kurir with the KURIR_MASTER_KEY under which it was linked; if that is lost, disconnect the device and link it again.',
  proxy_unreadable:
    'The stored address of its proxy cannot be read, and nothing goes around a proxy. Start Kurir with the KURIR_MASTER_KEY under which it was set, or set the proxy again.',
  no_driver:
    'This gateway does not speak the network of the device any more. Its operator can set that up again (the simulated network with KURIR_SIMULATOR_URL); otherwise disconnect the device.',
  client_outdated: connectsAsNewer('this version'),
  not_logged_out:
    'The device was unlinked here, but the network could not be told: take it off the list of linked devices on the phone, too.',
  link_expired: 'Nobody used the code in time. Ask for a new one.',
  link_cancelled: 'Linking was cancelled.',
  link_failed: 'Linking did not succeed. Try it again.',
} as const;

export type DeviceReason = keyof typeof deviceReasons;

/**
 * What a person reads; of a failed link what its `detail` means. Null for a word that is none of ours. `versionDays`: for
 * so many days this gateway has known the version that was refused.
 */
export function adviceOf(
  reason: string | null,
  detail: string | null,
  versionDays: number | null = null,
): string | null {
  if (reason === null || !isDeviceReason(reason)) return null;
  if (reason === 'client_outdated' && detail !== null)
    return connectsAsNewer(`version ${detail}${knownFor(versionDays)}`);
  if (reason === 'link_failed' && isLinkFailure(detail)) return linkFailures[detail];
  return deviceReasons[reason];
}

function knownFor(days: number | null): string {
  if (days === null) return '';
  return days === 1 ? ' (known here for 1 day)' : ` (known here for ${days} days)`;
}

function isDeviceReason(reason: string): reason is DeviceReason {
  return Object.hasOwn(deviceReasons, reason);
}

/** What a limit of new contacts risks that is looser than the automatic one. */
export const looseLimitAdvice =
  'This device may write to more new contacts a day than Kurir would let it. The network may restrict or close an account that writes to many people who do not know it. The policy `automatic` starts low and grows.';
