/** Tests of the mails after a payment, after somebody joined, and after a broadcast, from the request to the mailer. */
import { choosePlan, createPlan, listKeptMails } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '@kurir/contracts';
import { type Person, signUp } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { createKeptMailer, type Mail } from '../mail/mailer.js';
import { countLines } from './notice-mail.js';
import { createNotices } from './notices.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1, KURIR_SELLER_NAME: 'PT Penjual' });
});
afterAll(() => t.close());

/** Two processes that send notices. Each mail is kept for the mailbox too. */
function startTwo(): Mail[] {
  const mails: Mail[] = [];
  const keeper = createKeptMailer(t.database);
  const mailer = {
    send: async (mail: Mail) => {
      mails.push(mail);
      await keeper.send(mail);
    },
  };
  const logger = createLogger({ name: 'api', level: 'debug', pretty: false, destination: { write: () => undefined } });
  for (let n = 0; n < 2; n++) {
    const publicUrl = () => 'https://kurir.test';
    const { signalLivePages, seller } = t.api;
    const notices = createNotices({ database: t.database, mailer, logger, seller, publicUrl, signalLivePages });
    notices.start();
    onTestFinished(() => notices.stop());
  }
  return mails;
}

async function renew({ browser, accountId }: Person): Promise<string> {
  const offer = { name: `Usaha ${newId('pln').slice(-6)}`, durationDays: 30, priceRupiah: 50_000, quota: 1_000 };
  await choosePlan(t.database, accountId, await createPlan(t.database, offer));
  return String((await browser.call('renewAccount')).body.data['payment_url']);
}

const quiet = ({ accountId }: Person) =>
  waitUntil(
    async () => {
      const text = `SELECT 1 FROM notices WHERE account_id = $1 AND kind = 'renewal.paid'`;
      const { rowCount: made } = await t.database.pool.query(text, [accountId]);
      const { rowCount: left } = await t.database.pool.query(`${text} AND due_at IS NOT NULL`, [accountId]);
      return made === 1 && left === 0;
    },
    { what: 'the receipt is sent', timeoutMs: 30_000 },
  );

test('a payment that is reported many times makes one receipt, in the language of the person, with the invoice', async () => {
  const owner = await signUp(t.url);
  await owner.browser.call('chooseLanguage', { body: { language: 'en' } });
  const url = await renew(owner);
  await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ method: 'qris' }) }),
    ),
  );
  const mails = startTwo();
  await quiet(owner);
  const ours = mails.filter(({ recipient }) => recipient === owner.email);
  expect(ours).toHaveLength(1);
  const [mail] = ours;
  expect(mail?.subject).toBe('Payment of Rp\u00a050,000 received');
  expect(mail?.text).toMatch(/Invoice number: KRR-\d{8}-\w{8}[^]*QRIS \(test, no real money\)[^]*\d+ days left over/);
  const number = /KRR-\d{8}-\w{8}/.exec(mail?.text ?? '')?.[0];
  expect(mail?.file?.name).toBe(`${number}.pdf`);
  expect(mail?.file?.content.subarray(0, 5).toString()).toBe('%PDF-');
  // The mailbox of a development run has it too.
  const [kept] = await listKeptMails(t.database);
  const mailbox = await (await fetch(`${t.url}/app/mailbox?mail=${kept?.id}`)).text();
  expect(mailbox).toContain(`/app/mailbox/${kept?.id}/file" download>${number}.pdf</a>`);
  const file = await fetch(`${t.url}/app/mailbox/${kept?.id}/file`);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await fetch(`${t.url}/app/mailbox/eml_nobody/file`)).status).toBe(404);
});

test('a person who switched receipts off gets none', async () => {
  const owner = await signUp(t.url);
  await owner.browser.call('chooseNotices', { body: { kind: 'renewal.paid', mail: false, bell: true } });
  await fetch(await renew(owner), { method: 'POST', redirect: 'manual' });
  const mails = startTwo();
  await quiet(owner);
  expect(mails.filter(({ recipient }) => recipient === owner.email)).toEqual([]);
});

test('an owner hears of a person who accepted an invitation, by name and role', async () => {
  const owner = await signUp(t.url);
  const guest = await signUp(t.url);
  await owner.browser.call('inviteMember', { body: { email: guest.email, role: 'developer' } });
  const invitations = (await listKeptMails(t.database)).filter(({ recipient }) => recipient === guest.email);
  const token = /\/app\/join\/(\S+)/.exec(invitations.find(({ text }) => text.includes('/app/join/'))?.text ?? '')?.[1];
  expect((await guest.browser.call('acceptInvitation', { params: { token: String(token) } })).status).toBe(200);
  const mails = startTwo();
  const ours = () => mails.filter(({ recipient }) => recipient === owner.email);
  await waitUntil(async () => ours().length > 0, { what: 'the mail is sent', timeoutMs: 30_000 });
  expect(ours().map(({ text }) => text)).toEqual([
    expect.stringMatching(/accepted an invitation and now has the role developer/),
  ]);
  expect(ours()[0]?.text).toContain('/app/members');
});

test('the mail about a finished broadcast counts who got it', () => {
  const skipped = [{ reason: 'suppressed', count: 3 }] as const;
  expect(countLines({ messages: { delivered: 1_200, read: 30, failed: 20, unknown: 4 }, skipped })).toEqual([
    ['Terkirim: 1.230', 'Sent: 1,230'],
    ['Tidak terkirim: 20', 'Not sent: 20'],
    ['Tidak diketahui: 4', 'Unknown: 4'],
    ['Dilewati: 3', 'Skipped: 3'],
  ]);
});

test('the first page after signing up sends the first steps once, and stands in the audit log', async () => {
  const person = await signUp(t.url);
  await Promise.all([1, 2, 3].map(() => person.browser.call('readMe')));
  const mailsTo = async () => (await listKeptMails(t.database)).filter(({ recipient }) => recipient === person.email);
  await waitUntil(async () => (await mailsTo()).length > 0, { what: 'the mail is kept', timeoutMs: 10_000 });
  const mails = await mailsTo();
  expect(mails.map(({ subject }) => subject)).toEqual(['Your Kurir account is ready']);
  expect(mails[0]?.text).toContain('Import contacts, then send a first broadcast.');
  const { entries } = (await person.browser.call('listAudit')).body.data as { entries: { action: string }[] };
  expect(entries.filter(({ action }) => action === 'account.created')).toMatchObject([
    { actor: { id: person.userId }, subject: person.accountId, address: expect.any(String) },
  ]);
});
