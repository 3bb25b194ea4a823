import { hkdfSync, type KeyObject } from 'node:crypto';

/** What the built-in provider signs its callbacks with: derived, so that it needs no setting of its own. */
export function deriveCallbackSecret(masterKey: KeyObject): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'kurir/payments/sandbox/callback/v1', 32)).toString('base64url');
}
