/**
 * Pre-keys: companions upload them, and others fetch a bundle for each device before their first message to it. A fetch
 * uses up one one-time pre-key, if one is left. The server tells a companion when few are left.
 */
import type { Device } from './account.js';
import { bytesOf, child, children, serverJid, type Stanza, stanza, timestamp } from '../wire/stanza.js';
import type { Accounts } from './accounts.js';

/** Below this number the server asks the companion for more. */
const lowWaterMark = 10;
/** Curve25519, libsignal's `DJB_TYPE`. */
const keyType = Buffer.from([5]);

export function takePreKeys(device: Device, upload: Stanza): void {
  for (const key of children(child(upload, 'list'), 'key')) {
    device.oneTimePreKeys.push({ id: bytesOf(key, 'id'), value: bytesOf(key, 'value') });
  }
  takeSignedPreKey(device, upload);
}

export function takeSignedPreKey(device: Device, parent: Stanza | undefined): void {
  const key = child(parent, 'skey');
  if (!key) return;
  device.rotateSignedPreKey({
    id: bytesOf(key, 'id'),
    value: bytesOf(key, 'value'),
    signature: bytesOf(key, 'signature'),
  });
}

export type FetchedPreKeys = {
  readonly answer: readonly Stanza[];
  readonly about: readonly string[];
  readonly oneTimePreKeysUsed: number;
};

export function fetchPreKeys(accounts: Accounts, request: Stanza): FetchedPreKeys {
  const about: string[] = [];
  let oneTimePreKeysUsed = 0;
  const users = children(child(request, 'key'), 'user').map((user) => {
    const jid = user.attrs['jid'] ?? '';
    const device = accounts.findDevice(jid);
    about.push(device?.name ?? jid);
    // An error for one device does not spoil the answer for the others (whatsmeow `prekeys.go`, `fetchPreKeysNoError`).
    if (!device || device.account.brokenKeys.has(device.id))
      return stanza('user', { jid }, [stanza('error', { code: '406', text: 'not-acceptable' })]);
    if (device.oneTimePreKeys.length > 0) oneTimePreKeysUsed += 1;
    return bundle(device, jid);
  });
  return { answer: [stanza('list', {}, users)], about, oneTimePreKeysUsed };
}

function bundle(device: Device, jid: string): Stanza {
  const { registrationId, identityKey } = device.registration;
  const { id, value, signature } = device.signedPreKey;
  const oneTime = device.oneTimePreKeys.shift();
  askForMore(device);
  return stanza('user', { jid, t: timestamp() }, [
    stanza('registration', {}, registrationId),
    stanza('type', {}, keyType),
    stanza('identity', {}, identityKey),
    stanza('skey', {}, [stanza('id', {}, id), stanza('value', {}, value), stanza('signature', {}, signature)]),
    ...(oneTime ? [stanza('key', {}, [stanza('id', {}, oneTime.id), stanza('value', {}, oneTime.value)])] : []),
  ]);
}

function askForMore(device: Device): void {
  const left = device.oneTimePreKeys.length;
  if (left !== lowWaterMark - 1) return;
  const attrs = { from: serverJid, type: 'encrypt', id: `pre-keys-${timestamp()}`, t: timestamp() };
  device.deliver(stanza('notification', attrs, [stanza('count', { value: String(left) })]));
}
