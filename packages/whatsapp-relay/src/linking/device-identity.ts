/**
 * The identity that makes a companion a device of an account. The phone signs the companion's identity key (XEdDSA). An
 * HMAC covers the result, under a secret that only phone and companion know from the QR or the pairing code. This is
 * ADV, version 0: the signed text starts with the bytes 6, 0.
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
