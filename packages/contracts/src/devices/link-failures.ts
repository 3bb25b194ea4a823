/**
 * The words of `state_detail` after `link_failed`: why linking failed, and what a person can do. The sentence about passkeys
 * has two sources. A QR and a code meet the same demand (rmyndharis/OpenWA #1672). A phone without its old passkey asks for a
 * new one (devlikeapro/waha #2138).
 */
export const linkFailures = {
  phone_number_missing: 'A pairing code needs a phone number. Give the number, or link by QR.',
  phone_not_on_network: 'The network has no account with this phone number. Check the number and its country code.',
  passkey_required:
    'The network links this account only with its passkey, and Kurir does not support passkeys yet. A QR and a pairing code end the same way. Removing the passkey does not help: the phone then asks for a new one. The network asks only some accounts for it: link another account.',
  identity_not_authentic:
    'The answer of the network was not signed with the secret of the code, so Kurir linked nothing. Use a code that this gateway shows now. If it happens again, something between the phone and Kurir changes their messages.',
  credentials_not_stored:
    'The phone agreed, but this gateway could not store the keys. The device is linked on neither side. Try again; the log of the worker says why it failed.',
  rejected_by_network: 'The network refused to link this number by a pairing code. Check the number, or link by QR.',
  rate_limited_by_network:
    'The network has seen too many attempts from this number or from the address of this gateway. Wait for some time, then try again.',
  client_outdated:
    'The network refuses this version of its client. Unless KURIR_WHATSAPP_VERSION pins the version, this gateway looks for a newer one by itself: try again in some minutes. If it finds none, its operator sets KURIR_WHATSAPP_VERSION to a newer one, or updates Kurir.',
  network_unavailable: 'The network could not be reached, or did not answer. Try again.',
  connection_lost: 'The connection to the network broke before the phone had used the code. Ask for a new code.',
  replaced: 'Another attempt to link this device took over. Use the code that it shows.',
  protocol_error:
    'The network said something that Kurir does not understand. Try again. If it fails again, Kurir needs an update.',
  proxy_failed:
    'The proxy of the device cannot be reached, refuses Kurir, or does not let Kurir through. Or its name leads to no public address. Check the proxy, then try again.',
  proxy_not_allowed:
    'The proxy of the device has an address inside a network (private, loopback or link-local). This gateway does not connect to such an address. Set a proxy with a public address, then try again.',
  proxy_unreadable: 'Kurir cannot read the stored address of the proxy. Set the proxy again, then try again.',
  no_driver:
    'This gateway does not speak the network of the device. Its operator can set the network up (the simulated network with KURIR_SIMULATOR_URL).',
} as const;

export type LinkFailureReason = keyof typeof linkFailures;

export function isLinkFailure(detail: string | null): detail is LinkFailureReason {
  return detail !== null && Object.hasOwn(linkFailures, detail);
}
