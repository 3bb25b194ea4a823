/** Tests that the answer to a sign-up does not say whether the address is registered. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../test/mail-server.js';
import { Browser, newEmail, password } from '../../../test/person.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';

let mailServer: MailServer;
let t: TestApi;
beforeAll(async () => {
  mailServer = await startMailServer();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SMTP_URL: mailServer.url });
});
afterAll(async () => {
  await t.close();
  await mailServer.close();
});

/** Signs up as a page would, and returns the answer without what differs for each person. */
async function signUp(email: string, body: object, headers: Record<string, string>) {
  const asked = { email, password, name: 'Budi', callbackURL: '/app', ...body };
  const answer = await new Browser(t.url).fetch('POST', '/app/api/auth/sign-up/email', asked, headers);
  const { user, ...rest } = (await answer.json()) as { user: Record<string, unknown> };
  const own = { id: typeof user['id'], createdAt: null, updatedAt: null };
  return { status: answer.status, ...rest, user: { ...user, ...own } };
}

test.each([
  { body: {}, headers: { 'Accept-Language': 'id' } },
  { body: {}, headers: { 'Accept-Language': 'en-GB,en' } },
  { body: {}, headers: { 'Accept-Language': 'fr' } },
  { body: { language: 'en' }, headers: { 'Accept-Language': 'id' } },
  { body: { language: null }, headers: {} },
  { body: { country: 'GB' }, headers: {} },
  { body: { country: null }, headers: {} },
])('the same for a new and a registered address, with $body and $headers', async ({ body, headers }) => {
  const email = newEmail();
  const first = await signUp(email, body, headers);
  expect(first.status).toBe(200);
  expect(await signUp(email, body, headers)).toEqual(first);
});
