/**
 * What makes a companion a device of an account: its identity key, signed by the phone (XEdDSA), and an HMAC under
 * the secret that only the phone and the companion know, from the QR or from the pairing code. ADV, version 0:
 * the signed text starts with the bytes 6, 0.
 */
import { createHmac, randomInt } from 'node:crypto';
import { xeddsaSign } from 'zapo-js/crypto';
import type { Account } from '../devices/account.js';
import { writeDeviceIdentity, writeSignedDeviceIdentity, writeSignedDeviceIdentityHmac } from '../wire/protobuf.js';

const accountSignaturePrefix = Buffer.from([6, 0]);
const rawIdLimit = 2 ** 31;

export async function signDeviceIdentity(
  account: Account,
  deviceId: number,
  companionIdentity: Uint8Array,
  advSecret: Uint8Array,
): Promise<Uint8Array> {
  const details = writeDeviceIdentity({
    rawId: randomInt(rawIdLimit),
    keyIndex: deviceId,
    timestamp: Math.floor(Date.now() / 1000),
  });
  const signedText = Buffer.concat([accountSignaturePrefix, details, companionIdentity]);
  const signed = writeSignedDeviceIdentity({
    details,
    accountSignatureKey: account.identity.pubKey,
    accountSignature: await xeddsaSign(account.identity.privKey, signedText),
  });
  const hmac = createHmac('sha256', advSecret).update(signed).digest();
  return writeSignedDeviceIdentityHmac({ details: signed, hmac });
}
