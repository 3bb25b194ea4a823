/**
 * Why linking failed: the words of `state_detail` after `link_failed`, and what a person can do. What is said of
 * passkeys is what is known: a QR and a code meet the same demand (rmyndharis/OpenWA #1672), and a phone whose passkey
 * was removed asks for a new one (devlikeapro/waha #2138).
 */
export const linkFailures = {
  phone_number_missing: 'A code to type is made for a phone number. Give the number, or link by QR.',
  phone_not_on_network: 'The network has no account with this phone number. Check the number and its country code.',
  passkey_required:
    'The network links this account only with its passkey, and Kurir cannot answer that yet. A QR and a typed code end the same way. Removing the passkey does not help: the phone then asks for a new one. The network asks this of some accounts only: link another account.',
  identity_not_authentic:
    'What the network handed over was not signed with the secret of the code, so nothing was linked. Use a code that this gateway shows now. If it happens again, something on the way changes what the phone and Kurir send each other.',
  credentials_not_stored:
    'The phone agreed, but this gateway could not store the keys, so the device is linked on neither side. Try it again; the log of the worker says why it failed.',
  rejected_by_network: 'The network refused to link this number by a code. Check the number, or link by QR.',
  rate_limited_by_network:
    'The network has had too many tries from this number or from the address of this gateway. Wait for some time, then try it again.',
  client_outdated:
    'The network refuses this version of its client. Unless KURIR_WHATSAPP_VERSION pins it, this gateway looks for a newer one by itself: try again in some minutes. If it finds none, its operator sets KURIR_WHATSAPP_VERSION to a newer one, or updates Kurir.',
  network_unavailable: 'The network could not be reached, or did not answer. Try it again.',
  connection_lost: 'The connection to the network broke before the phone had used the code. Ask for a new code.',
  replaced: 'Another try to link this device took over. Use the code that it shows.',
  protocol_error:
    'The network said something that Kurir does not understand. Try it again; if it fails again, Kurir must be updated.',
  proxy_failed: 'Its proxy is not there, refuses Kurir or does not let it through. Check the proxy, then try it again.',
  proxy_not_allowed:
    'Its proxy stands on an address inside a network (private, loopback or link-local), to which this gateway makes no connection. Set a proxy with a public address, then try it again.',
  proxy_unreadable: 'The stored address of its proxy cannot be read. Set the proxy again, then try it again.',
  no_driver:
    'This gateway does not speak the network of the device. Its operator can set that up (the simulated network with KURIR_SIMULATOR_URL).',
} as const;

export type LinkFailureReason = keyof typeof linkFailures;

export function isLinkFailure(detail: string | null): detail is LinkFailureReason {
  return detail !== null && Object.hasOwn(linkFailures, detail);
}
