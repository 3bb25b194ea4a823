/**
 * The secrets and backup codes of authenticators, as better-auth encrypts them. An earlier version encrypted without the
 * name of a key.
 */
import { type Database, readUnnamedTwoFactorBox } from '@kurir/database';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { SignInSecrets } from './sign-in-secret.js';

async function open(box: string, secret: string): Promise<string | null> {
  try {
    return await symmetricDecrypt({ key: secret, data: box });
  } catch {
    // better-auth throws for another secret and for damage alike.
    return null;
  }
}

const named = /^\$ba\$(\d+)\$(.*)$/s;

async function openWithAny(box: string, secrets: SignInSecrets): Promise<string | null> {
  const [, version, ciphertext = box] = named.exec(box) ?? [];
  for (const secret of secrets) {
    if (version !== undefined && Number(version) !== secret.version) continue;
    const plain = await open(ciphertext, secret.value);
    if (plain !== null) return plain;
  }
  return null;
}

/** Returns the box under the first secret. Returns null if no secret opens it. */
export async function rewrapTwoFactorBox(box: string, secrets: SignInSecrets): Promise<string | null> {
  const [first] = secrets;
  const plain = await openWithAny(box, secrets);
  if (plain === null || first === undefined) return null;
  const keys = new Map(secrets.map(({ version, value }) => [version, value]));
  return symmetricEncrypt({ key: { keys, currentVersion: first.version }, data: plain });
}

/** Returns the secret of the boxes that name no key. Returns null if there are none, or if no secret opens them. */
export async function findUnnamedSecret(database: Database, secrets: SignInSecrets): Promise<string | null> {
  const box = await readUnnamedTwoFactorBox(database);
  if (box === null) return null;
  for (const { value } of secrets) if ((await open(box, value)) !== null) return value;
  return null;
}
