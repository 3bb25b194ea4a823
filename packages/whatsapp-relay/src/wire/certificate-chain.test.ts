import { randomBytes } from 'node:crypto';
import { verifyNoiseCertificateChain } from 'zapo-js/transport';
import { describe, expect, it } from 'vitest';
import { createServerIdentity, rootSerial } from './certificate-chain.js';

describe('the certificate chain', () => {
  it('is refused by a client that trusts another root', async () => {
    const { certificateChain, staticKey } = await createServerIdentity();
    const root = { publicKey: randomBytes(32), serial: rootSerial };
    await expect(verifyNoiseCertificateChain(certificateChain, staticKey.pubKey, root)).rejects.toThrow();
  });

  it('is refused for another server’s key', async () => {
    const { certificateChain, rootPublicKey } = await createServerIdentity();
    const root = { publicKey: rootPublicKey, serial: rootSerial };
    await expect(verifyNoiseCertificateChain(certificateChain, randomBytes(32), root)).rejects.toThrow();
  });

  it('vouches for the server’s key under its own root', async () => {
    const { certificateChain, rootPublicKey, staticKey } = await createServerIdentity();
    const root = { publicKey: rootPublicKey, serial: rootSerial };
    await expect(verifyNoiseCertificateChain(certificateChain, staticKey.pubKey, root)).resolves.toBeUndefined();
  });
});
