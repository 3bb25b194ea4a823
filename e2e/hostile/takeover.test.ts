/** Ways to take an account over, or to lock its owner out. */
import { choosePlan, createPlan, type Database, openDatabase } from '@kurir/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticatorCode } from '../src/browser/authenticator-code.js';
import { field, mailedToken, password, type Person } from '../src/customers/person.js';
import { signedFetch } from '../src/customers/signed-fetch.js';
import { type Stack, startStack } from '../src/stack/stack.js';
import { accountOf, elsewhere, guessAtOnce, newMember, newPerson, strangerTo } from './attacks/strangers.js';

let stack: Stack;
let database: Database;
beforeAll(async () => {
  // Each person comes from an address of their own, as behind a proxy.
  stack = await startStack({ workers: 0, env: { KURIR_TRUST_PROXY: '1' } });
  database = openDatabase({ url: stack.env['DATABASE_URL'] ?? '', poolSize: 2 });
});
afterAll(async () => {
  await database?.close();
  await stack?.stop();
});

describe('guesses of a password', () => {
  it('do not lock out a person whose browser has signed in before', async () => {
    const victim = await newPerson(stack);
    await victim.auth('/sign-out', {});
    await guessAtOnce(victim, stack, 20);
    expect(await victim.signIn()).toBe(200);
  });

  it('do not lock out a person who has just chosen a new password by mail', async () => {
    const victim = await newPerson(stack);
    await guessAtOnce(victim, stack, 20);
    await victim.auth('/request-password-reset', { email: victim.email });
    const newPassword = `${password} lagi`;
    const reset = await victim.auth('/reset-password', {
      newPassword,
      token: await mailedToken(database, victim.email, /token=(\S+)/),
    });
    expect(reset.status).toBe(200);
    expect(await strangerTo(victim, stack).signIn(newPassword, elsewhere())).toBe(200);
  });
});

/** Turns two-factor sign-in on and returns the key of the authenticator. */
async function enableTwoFactor(person: Person): Promise<string> {
  const { body } = await person.auth('/two-factor/enable', { password });
  const key = new URL(String(field(body, 'totpURI'))).searchParams.get('secret') ?? '';
  const verified = await person.auth('/two-factor/verify-totp', { code: authenticatorCode(key) });
  if (verified.status !== 200) throw new Error(`two-factor sign-in answered ${verified.status}`);
  return key;
}

describe('a stolen session whose confirmation is over', () => {
  it.each(['/two-factor/disable', '/two-factor/get-totp-uri', '/two-factor/generate-backup-codes'])(
    'gets nothing from %s with the password alone',
    async (path) => {
      const victim = await newPerson(stack);
      await enableTwoFactor(victim);
      await database.pool.query(
        `UPDATE sessions SET confirmed_at = confirmed_at - interval '1 hour', created_at = created_at - interval '1 hour'`,
      );
      expect([401, 403]).toContain((await victim.auth(path, { password })).status);
    },
  );

  it('cannot use a code that was used before', async () => {
    const victim = await newPerson(stack);
    const key = await enableTwoFactor(victim);
    const code = authenticatorCode(key);
    const confirm = () => victim.ask('POST', '/app/api/me/confirm', { code });
    const statuses = [(await confirm()).status, (await confirm()).status];
    expect(statuses.at(-1)).not.toBe(200);
  });
});

describe('a developer', () => {
  /** Returns how the api answers a renewal that is signed with this key, or how it refused to make the key. */
  async function renewByOwnKey(member: Person, key: object): Promise<number> {
    const made = await member.ask('POST', '/app/api/keys', key);
    if (made.status !== 200) return made.status;
    const [apiKey, apiSecret] = ['api_key', 'api_secret'].map((name) => String(field(made.body, 'data', name)));
    const parts = { method: 'POST', target: '/api/v1/account/renew' } as const;
    return (await signedFetch(stack.baseUrl, { apiKey: apiKey ?? '', apiSecret: apiSecret ?? '' }, parts)).status;
  }

  it('can open no renewal, neither by page nor by a key of their own', async () => {
    const owner = await newPerson(stack);
    const plan = { name: 'Month', durationDays: 30, priceRupiah: 50_000, quota: null };
    await choosePlan(database, await accountOf(owner), await createPlan(database, plan));
    const member = await newMember(owner, 'developer', { stack, database });
    expect((await member.ask('POST', '/api/v1/account/renew')).status).toBe(403);
    expect(await renewByOwnKey(member, { name: 'k', scopes: ['account:renew'] })).toBe(403);
    expect(await renewByOwnKey(member, { name: 'k' })).toBe(403);
    expect((await owner.ask('POST', '/api/v1/account/renew')).status).toBe(200);
  });
});
