import { hkdfSync, type KeyObject } from 'node:crypto';

/** What signs session cookies and encrypts authenticators' secrets: derived, so that it needs no setting of its own. */
export function deriveSignInSecret(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/sign-in/v1', 32)).toString('base64url');
}
