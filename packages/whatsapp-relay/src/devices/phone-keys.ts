/**
 * The public keys of a pretend phone. Every account has device 0, so senders encrypt for it, as in the real network.
 * Nobody holds the private halves of its pre-keys. So nobody can read those copies, not even the relay.
 */
import { randomBytes } from 'node:crypto';
import { toSerializedPubKey, X25519, xeddsaSign } from 'zapo-js/crypto';
import { type Account, Device } from './account.js';

const keyIdBytes = 3;
const oneTimePreKeys = 20;

export async function createPhoneKeys(account: Account): Promise<Device> {
  const signed = await X25519.generateKeyPair();
  const phone = new Device(account, 0, {
    identityKey: account.identity.pubKey,
    registrationId: Buffer.concat([Buffer.alloc(2), randomBytes(2)]),
    signedPreKey: {
      id: keyId(1),
      value: signed.pubKey,
      signature: await xeddsaSign(account.identity.privKey, toSerializedPubKey(signed.pubKey)),
    },
  });
  for (let id = 1; id <= oneTimePreKeys; id += 1) {
    phone.oneTimePreKeys.push({ id: keyId(id), value: (await X25519.generateKeyPair()).pubKey });
  }
  return phone;
}

function keyId(id: number): Buffer {
  const written = Buffer.alloc(keyIdBytes);
  written.writeUIntBE(id, 0, keyIdBytes);
  return written;
}
