/** Tests that nobody can send somebody many mails through us, from however many addresses and accounts. */
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../test/mail-server.js';
import { Browser, newEmail, password, type Person } from '../../test/person.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

let mailServer: MailServer;
let one: TestApi;
let two: TestApi;
beforeAll(async () => {
  mailServer = await startMailServer();
  one = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SMTP_URL: mailServer.url });
  two = await startApiOn(one.settings);
});
afterAll(async () => {
  await two.close();
  await one.close();
  await mailServer.close();
});

const mailsTo = (email: string, having: string) =>
  mailServer.mails.filter(({ recipient, text }) => recipient === email && text.includes(having));

const withheld = () => [...one.logs, ...two.logs].filter(({ text }) => text.includes('withheld')).length;

const until = (condition: () => boolean, what: string) =>
  waitUntil(() => Promise.resolve(condition()), { what, timeoutMs: 30_000 });

const signUpWith = (email: string, api = one) =>
  new Browser(api.url).auth('/sign-up/email', { email, password, name: 'Budi', language: 'en', callbackURL: '/app' });

async function newMember(): Promise<Pick<Person, 'browser' | 'email'>> {
  const email = newEmail();
  await signUpWith(email);
  await one.database.pool.query('UPDATE users SET email_verified = true WHERE email = $1', [email]);
  const browser = new Browser(one.url);
  expect((await browser.auth('/sign-in/email', { email, password })).status).toBe(200);
  return { browser, email };
}

type Answers = readonly { readonly status: number; readonly body: unknown }[];

/** Each request comes from another address, and every second one goes to the other process. */
const tenTimes = (ask: (api: TestApi, at: number) => Promise<Answers[number]>): Promise<Answers> =>
  Promise.all(Array.from({ length: 10 }, (_none, at) => ask(at % 2 === 0 ? one : two, at)));

const askForReset = (email: string) => (api: TestApi) =>
  new Browser(api.url).auth('/request-password-reset', { email });
const askForLink = (email: string) => (api: TestApi) =>
  new Browser(api.url).auth('/send-verification-email', { email, callbackURL: '/app' });

test('links to a new password: three an hour, and the answers do not say so', async () => {
  const { email } = await newMember();
  const before = withheld();
  const answers = await tenTimes(askForReset(email));
  await until(() => withheld() - before === 7, 'seven are withheld');
  await until(() => mailsTo(email, '/app/reset-password').length === 3, 'three arrive');
  const unknown = await tenTimes(askForReset(newEmail()));
  expect(answers).toEqual(unknown);
  // The other kinds, and other people, have limits of their own.
  const other = await newMember();
  await askForReset(other.email)(one);
  await until(() => mailsTo(other.email, '/app/reset-password').length === 1, 'the mail to another person');
  await signUpWith(email);
  await until(() => mailsTo(email, 'Somebody wanted to use this address').length === 1, 'the mail of another kind');
  const logs = JSON.stringify([...one.logs, ...two.logs]);
  expect(logs).not.toContain(email);
});

test('links that confirm an address: three an hour', async () => {
  const email = newEmail();
  await signUpWith(email);
  const before = withheld();
  const answers = await tenTimes(askForLink(email));
  await until(() => withheld() - before === 8, 'eight are withheld');
  await until(() => mailsTo(email, 'verify-email').length === 3, 'three arrive');
  expect(answers).toEqual(await tenTimes(askForLink(newEmail())));
});

test('mails to tags of one address count together', async () => {
  const tagged = (at: number) => `${name}+${at}@example.com`;
  const [name = ''] = newEmail().split('@');
  const before = withheld();
  await tenTimes((api, at) => signUpWith(tagged(at), api));
  await until(() => withheld() - before === 7, 'seven are withheld');
  const arrived = () => mailServer.mails.filter(({ recipient }) => recipient.startsWith(name)).length;
  await until(() => arrived() === 3, 'three arrive');
});

test('invitations of many accounts: three an hour, and no account learns of the others', async () => {
  const victim = newEmail();
  const inviters = await Promise.all(Array.from({ length: 5 }, newMember));
  const body = { email: victim, role: 'viewer' };
  const answers: unknown[] = [];
  for (const { browser } of inviters) {
    const answer = await browser.call('inviteMember', { body });
    answers.push({ status: answer.status, message: answer.body.message });
  }
  expect(answers).toEqual(answers.map(() => ({ status: 200, message: 'Invitation sent' })));
  expect(mailsTo(victim, '/app/join/')).toHaveLength(3);
});

test('invitations of one account: the fourth is refused before it replaces the link', async () => {
  const { browser } = await newMember();
  const guest = newEmail();
  const invite = async () => (await browser.call('inviteMember', { body: { email: guest, role: 'viewer' } })).status;
  expect([await invite(), await invite(), await invite(), await invite()]).toEqual([200, 200, 200, 429]);
  const token = /\/app\/join\/(\S+)/.exec(mailsTo(guest, '/app/join/').at(-1)?.text ?? '')?.[1] ?? '';
  expect((await browser.call('readInvitation', { params: { token } })).status).toBe(200);
});
