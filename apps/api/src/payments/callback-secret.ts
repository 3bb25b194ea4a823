import { hkdfSync, type KeyObject } from 'node:crypto';

/** Derives the secret that signs the callbacks of the built-in provider, so that it needs no setting. */
export function deriveCallbackSecret(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/payments/sandbox/callback/v1', 32)).toString('base64url');
}
