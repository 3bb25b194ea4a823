import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Derives the key that signs session cookies and encrypts the secrets of authenticators, so that it needs no setting.
 */
export function deriveSignInSecret(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/sign-in/v1', 32)).toString('base64url');
}
