import { hkdfSync, type KeyObject } from 'node:crypto';
import { keyIdOf, type Keys } from '@kurir/signing';

/**
 * Derives the key that signs session cookies and encrypts the secrets of authenticators, so that it needs no setting.
 */
export function deriveSignInSecret(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/sign-in/v1', 32)).toString('base64url');
}

/** The secrets as better-auth takes them: the first signs and encrypts. Its name for one is the id of the master key. */
export type SignInSecrets = readonly { readonly version: number; readonly value: string }[];

export function deriveSignInSecrets(masterKeys: Keys): SignInSecrets {
  return masterKeys.map((key) => ({ version: keyIdOf(key).readUInt32BE(), value: deriveSignInSecret(key) }));
}
