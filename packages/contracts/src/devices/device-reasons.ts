import { isLinkFailure, linkFailures } from './link-failures.js';

const olderClient = (version: string) =>
  `The network refuses ${version} of its client. Unless KURIR_WHATSAPP_VERSION pins the version, this gateway looks for a newer one by itself`;
const operatorsWay = 'If it finds none, its operator sets KURIR_WHATSAPP_VERSION to a newer one, or updates Kurir.';

const connectsAsNewer = (version: string) => `${olderClient(version)} and connects with it at once. ${operatorsWay}`;

/** The reasons for the state of a device. A word never changes; its sentence tells a person what it means and what to do. */
export const deviceReasons = {
  connection_lost: 'The connection to the network broke. Kurir opens it again by itself.',
  restart_required: 'The network asked for a new connection. Kurir opens it by itself.',
  network_unavailable: 'The network cannot be reached, or has no room. Kurir tries again by itself.',
  rate_limited_by_network:
    "For a while, the network accepts no connection from the address of this gateway, or of the device's proxy. Kurir connects the device again by itself.",
  proxy_failed:
    'The proxy of the device cannot be reached, refuses Kurir, or does not let Kurir through. Or its name leads to no public address. Check the proxy. Kurir tries again by itself.',
  proxy_not_allowed:
    'The proxy of the device has an address inside a network (private, loopback or link-local). This gateway does not connect to such an address. Set a proxy with a public address. The operator may allow others with KURIR_PROXY_PRIVATE_ADDRESSES.',
  replaced: 'Another program connected with the credentials of this device. Kurir connects the device again by itself.',
  contested:
    'Another program keeps connecting with the credentials of this device, perhaps from a second copy of the database of this gateway. Kurir has stopped connecting the device, and its messages keep waiting. Stop the other program, then reconnect the device. Or disconnect the device and link it again.',
  closed_by_us: 'Kurir closed the connection for a moment. It opens the connection again by itself.',
  temporarily_banned:
    'The network has banned the account for some time. Kurir connects the device again when the ban ends.',
  banned:
    'The network has closed the account. The app on its phone says why, and accepts an appeal. Link the device again once the account is back.',
  logged_out: 'The device is not linked any more. Link it again to send with it.',
  credentials_invalid: 'The stored credentials of the device are not valid any more. Link it again.',
  credentials_unreadable:
    'Kurir cannot read the stored credentials of the device. Start Kurir with the KURIR_MASTER_KEY that it had when the device was linked. If that key is lost, disconnect the device and link it again.',
  proxy_unreadable:
    'Kurir cannot read the stored address of the proxy, and it never connects around a proxy. Start Kurir with the KURIR_MASTER_KEY that it had when the proxy was set, or set the proxy again.',
  no_capacity:
    'No worker of this gateway has a free place for the device at the moment. Kurir connects it as soon as one has. Devices of accounts that pay come first. The operator can add places with KURIR_WORKER_CAPACITY or another worker.',
  account_suspended:
    'The operator of this gateway has suspended the account. Kurir connects the device again when the operator ends that. Messages keep waiting.',
  no_driver:
    'This gateway does not speak the network of the device any more. Its operator can set the network up again (the simulated network with KURIR_SIMULATOR_URL). Otherwise disconnect the device.',
  client_outdated: connectsAsNewer('this version'),
  not_logged_out:
    'Kurir unlinked the device, but could not tell the network. Remove the device from the list of linked devices on the phone, too.',
  link_expired: 'Nobody used the code in time. Ask for a new one.',
  link_cancelled: 'Linking was cancelled.',
  link_failed: 'Linking did not succeed. Try it again.',
} as const;

export type DeviceReason = keyof typeof deviceReasons;

/**
 * Returns the sentence for a reason; after a failed link, the sentence for its `detail`. Null for an unknown reason.
 * `versionDays`: for how many days this gateway has known the refused version.
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

/** The risk of a limit of new contacts that is looser than the automatic one. */
export const looseLimitAdvice =
  'This device may write to more new contacts a day than Kurir would allow. The network may restrict or close an account that writes to many people who do not know it. The policy `automatic` starts low and grows.';
