/**
 * The server's Noise identity: a static key, and the chain of two certificates that vouches for it. The root is our own
 * and not WhatsApp's. Clients that verify the chain (zapo-js) need the root's public key. Baileys 7.0.0-rc14 reads the
 * chain but accepts every signature (`Curve.verify` always returns true).
 */
import { X25519, type SignalKeyPair, xeddsaSign } from 'zapo-js/crypto';
import { writeCertificateChain, writeCertificateDetails } from './protobuf.js';

/** Clients require the intermediate certificate to name this serial as its issuer. */
export const rootSerial = 0;

export type ServerIdentity = {
  readonly staticKey: SignalKeyPair;
  readonly certificateChain: Uint8Array;
  /** 32 bytes, raw X25519. */
  readonly rootPublicKey: Uint8Array;
};

export async function createServerIdentity(): Promise<ServerIdentity> {
  const [root, intermediate, staticKey] = await Promise.all([
    X25519.generateKeyPair(),
    X25519.generateKeyPair(),
    X25519.generateKeyPair(),
  ]);
  const intermediateDetails = writeCertificateDetails(1, rootSerial, intermediate.pubKey);
  const leafDetails = writeCertificateDetails(2, 1, staticKey.pubKey);
  const certificateChain = writeCertificateChain({
    intermediate: {
      details: intermediateDetails,
      signature: await xeddsaSign(root.privKey, intermediateDetails),
    },
    leaf: { details: leafDetails, signature: await xeddsaSign(intermediate.privKey, leafDetails) },
  });
  return { staticKey, certificateChain, rootPublicKey: root.pubKey };
}
