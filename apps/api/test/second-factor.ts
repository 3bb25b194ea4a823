/** A person with two-factor sign-in, and their authenticator. */
import { createHmac } from 'node:crypto';
import { password, type Person, signUp } from './person.js';
import type { TestApi } from './test-api.js';

/** Computes a code of RFC 6238 with SHA-1, steps of thirty seconds and six digits. */
export function totp(uri: string, atMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...(new URL(uri).searchParams.get('secret') ?? '')]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export type TwoFactorPerson = Person & {
  readonly uri: string;
  readonly backupCodes: string[];
  /** The code that turned two-factor sign-in on. */
  readonly firstCode: string;
  /** A code that was not used yet. The last one is forgotten, as after half a minute. */
  newCode(): Promise<string>;
};

export async function signUpWithTwoFactor(t: TestApi): Promise<TwoFactorPerson> {
  const person = await signUp(t.url);
  const enabled = await person.browser.auth('/two-factor/enable', { password });
  const uri = String(enabled.body?.['totpURI']);
  const newCode = async () => {
    await t.database.pool.query('UPDATE two_factors SET last_used_step = NULL WHERE user_id = $1', [person.userId]);
    return totp(uri, Date.now());
  };
  const firstCode = await newCode();
  const { status } = await person.browser.auth('/two-factor/verify-totp', { code: firstCode });
  if (status !== 200) throw new Error(`the first code got ${status}`);
  return { ...person, uri, firstCode, backupCodes: enabled.body?.['backupCodes'] as string[], newCode };
}

/** Lets the confirmations of the person's sessions end, as time would. */
export async function endConfirmations(t: TestApi, userId: string): Promise<void> {
  await t.database.pool.query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [
    userId,
  ]);
}

/** Lets the delays after wrong passwords end, as time would. */
export async function endDelays({ queue, settings }: TestApi): Promise<void> {
  const keys = await queue.commands.keys(`${settings.KURIR_QUEUE_PREFIX}:guesses:*`);
  for (const key of keys) {
    const fields = (await queue.commands.hkeys(key)).filter((field) => field.startsWith('until '));
    if (fields.length > 0) await queue.commands.hdel(key, ...fields);
  }
}

/** Returns the newest mail to the address whose text has these words, or null. */
export async function mailTo({ database }: TestApi, email: string, words: string): Promise<string | null> {
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT text FROM kept_mails WHERE recipient = $1 AND strpos(text, $2) > 0 ORDER BY created_at DESC LIMIT 1`,
    [email, words],
  );
  return rows[0]?.text ?? null;
}
