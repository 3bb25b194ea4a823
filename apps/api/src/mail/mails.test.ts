/** Tests of mails over SMTP, to servers that accept, refuse or hang, and tests of the links in them. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type MailServer, startMailServer, startSilentServer } from '../../test/mail-server.js';
import { Browser, newEmail, password } from '../../test/person.js';
import { startApiOn, startTestApi, type TestApi } from '../../test/test-api.js';

let mailServer: MailServer;
let t: TestApi;
beforeAll(async () => {
  mailServer = await startMailServer();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SMTP_URL: mailServer.url });
});
beforeEach(() => {
  mailServer.refusing = false;
});
afterAll(async () => {
  await t.close();
  await mailServer.close();
});

async function mailTo(email: string, of: string) {
  const find = () => mailServer.mails.find(({ recipient, text }) => recipient === email && text.includes(of));
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  const mail = find();
  if (mail === undefined) throw new Error('no mail came');
  return mail;
}

const linkIn = (text: string, path: string) => {
  const link = text.split(/\s+/).find((word) => word.startsWith(`${t.url}${path}`));
  if (link === undefined) throw new Error('no link in the mail');
  return link.slice(t.url.length);
};

const signUp = (email: string) =>
  new Browser(t.url).auth('/sign-up/email', { email, password, name: 'Budi', callbackURL: '/app' });
const signIn = (email: string, secret = password) =>
  new Browser(t.url).auth('/sign-in/email', { email, password: secret, callbackURL: '/app' });

/** Signs up a person and confirms the address. */
async function member(): Promise<string> {
  const email = newEmail();
  await signUp(email);
  const { text } = await mailTo(email, 'verify-email');
  await new Browser(t.url).fetch('GET', linkIn(text, '/app/api/auth/verify-email'));
  return email;
}

const askForReset = (url: string, email: string) => new Browser(url).auth('/request-password-reset', { email });

describe('the link that confirms an address', () => {
  test('signs nobody in, and leaves the session of another person’s browser as it was', async () => {
    const email = newEmail();
    await signUp(email);
    expect((await signIn(email)).status).toBe(403);
    const { text } = await mailTo(email, 'verify-email');
    const victim = new Browser(t.url);
    const link = linkIn(text, '/app/api/auth/verify-email');
    const opened = await victim.fetch('GET', link);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/app']);
    expect(opened.headers.getSetCookie()).toEqual([]);
    expect((await victim.call('readMe')).body.code).toBe('SESSION_REQUIRED');
    expect((await signIn(email)).status).toBe(200);
  });
});

describe('the link to a new password', () => {
  test('comes over an encrypted connection, from the sender that is set, and works once', async () => {
    const email = await member();
    expect((await askForReset(t.url, email)).status).toBe(200);
    const mail = await mailTo(email, '/app/reset-password');
    expect(mail).toMatchObject({ encrypted: true, user: 'kurir', sender: t.settings.KURIR_MAIL_FROM });
    const [, token = ''] = linkIn(mail.text, '/app/reset-password').split('token=');
    const newPassword = 'another horse entirely';
    expect((await new Browser(t.url).auth('/reset-password', { token, newPassword })).status).toBe(200);
    expect((await new Browser(t.url).auth('/reset-password', { token, newPassword })).status).toBe(400);
    expect((await signIn(email, newPassword)).status).toBe(200);
  });

  /** Starts an api with another mail server for one test. */
  async function startMailingBy(url: string): Promise<TestApi> {
    const api = await startApiOn({ ...t.settings, KURIR_SMTP_URL: url });
    onTestFinished(() => api.close());
    return api;
  }

  const failuresOf = (api: TestApi) => api.logs.filter(({ text }) => text === 'mail not sent');

  test('that the server refuses is logged without the address, and the answer stays the same', async () => {
    const email = await member();
    mailServer.refusing = true;
    expect(await askForReset(t.url, email)).toEqual(await askForReset(t.url, newEmail()));
    await expect.poll(() => failuresOf(t), { timeout: 10_000 }).not.toEqual([]);
    expect(failuresOf(t)[0]?.fields['err']).toMatchObject({ code: 'EENVELOPE' });
    const logs = JSON.stringify(t.logs);
    for (const secret of [email, email.slice(0, 12), 'token=', 'canary']) expect(logs).not.toContain(secret);
  });

  test('gets the same answer for known and unknown addresses while the mail server hangs', async () => {
    const email = await member();
    const silent = await startSilentServer();
    onTestFinished(() => silent.close());
    const hanging = await startMailingBy(silent.url);
    expect(await askForReset(hanging.url, email)).toEqual(await askForReset(hanging.url, newEmail()));
    // The api has answered, although the mail server has not.
    await expect.poll(() => silent.waiting, { timeout: 4_000 }).toBe(1);
    expect(failuresOf(hanging)).toEqual([]);
    await expect.poll(() => failuresOf(hanging), { timeout: 15_000 }).toHaveLength(1);
    // The log line may come before the server notices the closed connection.
    await expect.poll(() => silent.waiting, { timeout: 5_000 }).toBe(0);
    const logs = JSON.stringify(hanging.logs);
    for (const secret of [email, 'token=', 'canary']) expect(logs).not.toContain(secret);
  });

  test('is not sent to a server without encryption, and neither is the password', async () => {
    const email = await member();
    const plain = await startMailServer({ tls: false });
    onTestFinished(() => plain.close());
    const api = await startMailingBy(plain.url);
    await askForReset(api.url, email);
    await expect.poll(() => failuresOf(api), { timeout: 10_000 }).toHaveLength(1);
    expect([plain.mails, plain.passwords]).toEqual([[], []]);
    const willing = await startMailingBy(`${plain.url}&requireTLS=false`);
    await askForReset(willing.url, email);
    await expect.poll(() => plain.mails, { timeout: 10_000 }).toMatchObject([{ recipient: email, encrypted: false }]);
  });
});
