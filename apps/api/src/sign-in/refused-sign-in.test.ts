/** Tests that refused passwords stand in the audit log, and that nobody can flood it with them. */
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, newEmail, password, type Person, signUp, signUpAs } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
let owner: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
  owner = await signUp(t.url);
});
afterAll(() => t.close());

const guess = (email: string, tried = 'not this one') =>
  new Browser(t.url).auth('/sign-in/email', { email, password: tried });

async function refusals(): Promise<unknown[]> {
  const { body } = await owner.browser.call('listAudit');
  const entries = body.data['entries'] as { action: string; actor: { id: string }; subject: string }[];
  return entries.filter(({ action }) => action === 'session.refused').map(({ actor, subject }) => [actor.id, subject]);
}

const until = (count: number) =>
  waitUntil(async () => (await refusals()).length >= count, { what: `${count} rows`, timeoutMs: 30_000 });

test('wrong passwords of a member are one row an hour, and those of strangers are none', async () => {
  const member = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
  await Promise.all(Array.from({ length: 12 }, () => guess(member.email)));
  await until(1);
  // The row of the owner comes after everything that the guesses above could write.
  await guess(newEmail());
  expect((await guess(owner.email)).status).toBe(401);
  await until(2);
  expect(await refusals()).toEqual([
    ['unknown', owner.userId],
    ['unknown', member.userId],
  ]);
});

test('a right password is no refusal', async () => {
  const before = await refusals();
  const other = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
  expect((await guess(other.email, password)).status).toBe(200);
  const last = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
  await guess(last.email);
  await until(before.length + 1);
  expect(JSON.stringify(await refusals())).not.toContain(other.userId);
});
