/** Tests of the mails about notices, from the request to the mail server. */
import { type AccountId, type DeviceId, newId } from '@kurir/contracts';
import { createDevice, requestLink, writeLinked } from '@kurir/database';
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type MailServer, startMailServer } from '../../test/mail-server.js';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import { createSmtpMailer, type Mail, type Mailer } from '../mail/mailer.js';
import { createNotices } from './notices.js';

let t: TestApi;
let mailServer: MailServer;
beforeAll(async () => {
  mailServer = await startMailServer();
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(async () => {
  await t.close();
  await mailServer.close();
});

type Line = { level: number; msg: string };

/** Starts the part of one api process. Returns its lines of the log, and how it stops. */
function startNotices(mailer: Mailer): { lines: Line[]; text: () => string; stop: () => Promise<void> } {
  const written: string[] = [];
  const logger = createLogger({
    name: 'api',
    level: 'debug',
    pretty: false,
    destination: { write: (line) => void written.push(line) },
  });
  const notices = createNotices({
    database: t.database,
    mailer,
    logger,
    seller: t.api.seller,
    publicUrl: () => 'https://kurir.test',
    signalLivePages: t.api.signalLivePages,
  });
  notices.start();
  onTestFinished(() => notices.stop());
  return {
    get lines() {
      return written.map((line) => JSON.parse(line) as Line);
    },
    text: () => written.join('\n'),
    stop: () => notices.stop(),
  };
}

/** A worker links the device that the person asked to link. */
async function linkAs(person: Person, number: string, name = 'Kasir'): Promise<DeviceId> {
  const made = await person.browser.call('createDevice', { body: { name, network: 'simulator' } });
  const deviceId = String(made.body.data['device_id']) as DeviceId;
  expect((await person.browser.call('linkDevice', { deviceId, body: {} })).status).toBe(200);
  await completeLink(deviceId, number);
  return deviceId;
}

async function completeLink(deviceId: DeviceId, number: string): Promise<void> {
  const holder = { deviceId, owner: newId('wrk'), epoch: 7n };
  await t.database.pool.query(
    `UPDATE device_leases SET owner = $2, epoch = 7, expires_at = now() + interval '1 hour' WHERE device_id = $1`,
    [deviceId, holder.owner],
  );
  expect(await writeLinked(t.database, holder, number)).toBe(true);
}

/** A mailer that keeps the mails, and runs `before` ahead of each. */
function recordingMailer(before: (mail: Mail) => Promise<void> = () => Promise.resolve()) {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => {
    await before(mail);
    mails.push(mail);
  };
  return { mails, send };
}

const waiting = async (accountId: AccountId) =>
  (await t.database.pool.query('SELECT 1 FROM notices WHERE account_id = $1 AND due_at IS NOT NULL', [accountId]))
    .rowCount;

const until = (condition: () => boolean | Promise<boolean>, what: string) =>
  waitUntil(async () => condition(), { what, timeoutMs: 30_000 });

test('a linked number stands in the audit log, and in a mail to each owner, with whoever asked for it', async () => {
  const owner = await signUp(t.url);
  const second = await signUpAs(t.url, t.database, owner.accountId, 'owner');
  const developer = await signUpAs(t.url, t.database, owner.accountId, 'developer');
  const deviceId = await linkAs(developer, '6281234567890');
  const mailer = createSmtpMailer(mailServer.url, 'kurir@example.com');
  startNotices(mailer);
  startNotices(mailer);
  await until(() => mailServer.mails.length >= 2, 'the mails arrive');
  await until(async () => (await waiting(owner.accountId)) === 0, 'nothing is left to send');
  const recipients = mailServer.mails.map(({ recipient }) => recipient);
  expect(recipients.toSorted()).toEqual([owner.email, second.email].toSorted());
  for (const text of [
    '6281234567890',
    '"Kasir"',
    `"Person ${developer.email.slice(0, 6)}"`,
    ' UTC',
    `https://kurir.test/app/devices/${deviceId}`,
    'unlink the device',
  ])
    expect(mailServer.mails[0]?.text).toContain(text);
  const { body } = await owner.browser.call('listAudit');
  const entries = body.data['entries'] as { action: string }[];
  expect(entries.find(({ action }) => action === 'device.linked')).toMatchObject({
    actor: { id: developer.userId },
    subject: deviceId,
    number_ends: '7890',
  });
  expect(JSON.stringify(body)).not.toContain('6281234567890');
});

test.each(['http://evil.example/login', 'evil.example'])('the name %s makes no link in the mail', async (name) => {
  const owner = await signUp(t.url);
  const deviceId = await linkAs(owner, '6281234567891', name);
  const mailer = recordingMailer();
  startNotices(mailer);
  await until(() => mailer.mails.length === 1, 'the mail is sent');
  expect(mailer.mails[0]?.text).toContain(deviceId);
  expect(mailer.mails[0]?.text).not.toContain('evil.example');
});

test('a link by a key, or by the command line, names it', async () => {
  const owner = await signUp(t.url);
  const made = await owner.browser.call('createKey', { body: { name: 'Gudang' } });
  const { api_key: keyId } = made.body.data['key'] as { api_key: string };
  const mailer = recordingMailer();
  startNotices(mailer);
  for (const [actor, number] of [
    [keyId, '6281234567892'],
    ['admin', '6281234567893'],
  ] as const) {
    const { accountId } = owner;
    const id = await createDevice(t.database, { accountId, name: 'Toko', network: 'simulator' });
    const audit = { accountId, actor, action: 'device.link_requested' } as const;
    await requestLink(t.database, accountId, id, { method: 'qr', phoneNumber: null }, audit);
    await completeLink(id, number);
  }
  await until(() => mailer.mails.length === 2, 'the mails are sent');
  const textWith = (number: string) => mailer.mails.find(({ text }) => text.includes(number))?.text;
  expect(textWith('6281234567892')).toContain('the API key "Gudang"');
  expect(textWith('6281234567893')).toContain('an operator of this gateway');
});

test('a mail that the server refuses is sent later, and holds up nobody else', async () => {
  const owner = await signUp(t.url);
  const second = await signUpAs(t.url, t.database, owner.accountId, 'owner');
  let isRefusing = true;
  const mailer = recordingMailer(({ recipient }) =>
    isRefusing && recipient === owner.email ? Promise.reject(new Error('no')) : Promise.resolve(),
  );
  await linkAs(owner, '6281234567894');
  const log = startNotices(mailer);
  await until(() => mailer.mails.length === 1, 'the other owner gets the mail');
  await until(() => log.text().includes('notice not sent'), 'the failure is logged');
  expect(mailer.mails[0]?.recipient).toBe(second.email);
  expect(log.lines.filter(({ level }) => level >= 50)).toEqual([]);
  for (const secret of [owner.email, '6281234567894']) expect(log.text()).not.toContain(secret);
  isRefusing = false;
  await t.database.pool.query(
    `UPDATE notices SET due_at = now() - interval '1 second' WHERE account_id = $1 AND due_at IS NOT NULL`,
    [owner.accountId],
  );
  await until(() => mailer.mails.length === 2, 'the mail is sent');
  await until(async () => (await waiting(owner.accountId)) === 0, 'nothing is left to send');
});

test('a process that dies while it sends loses no mail', async () => {
  const owner = await signUp(t.url);
  const dead = recordingMailer();
  // It has sent the mail and never hears of it.
  startNotices({ send: (mail) => dead.send(mail).then(() => new Promise<never>(() => undefined)) });
  await linkAs(owner, '6281234567895');
  await until(() => dead.mails.length === 1, 'the mail is sent once');
  const mailer = recordingMailer();
  startNotices(mailer);
  await t.database.pool.query(
    `UPDATE notices SET due_at = now() - interval '1 second' WHERE account_id = $1 AND due_at IS NOT NULL`,
    [owner.accountId],
  );
  await until(() => mailer.mails.length === 1, 'another process sends it again');
  await until(async () => (await waiting(owner.accountId)) === 0, 'nothing is left to send');
});

test('after a day of refusals it is given up, with an error in the log', async () => {
  const owner = await signUp(t.url);
  await linkAs(owner, '6281234567896');
  const log = startNotices({ send: () => Promise.reject(new Error('no')) });
  await until(() => log.text().includes('notice not sent'), 'the failure is logged');
  await t.database.pool.query(
    `UPDATE notices SET due_at = now() - interval '1 second', created_at = now() - interval '25 hours' WHERE account_id = $1`,
    [owner.accountId],
  );
  await until(async () => (await waiting(owner.accountId)) === 0, 'it is given up');
  expect(log.lines.filter(({ level }) => level >= 50)).toMatchObject([{ msg: 'notice given up after a day' }]);
});

test('what is a day old is given up alone, and what went with it is tried again', async () => {
  const { accountId } = await signUp(t.url);
  await t.database.pool.query(
    `INSERT INTO notices (account_id, user_id, kind, subject_id, state, at, created_at, due_at)
     SELECT account_id, user_id, 'webhook.failing', subject, '1', now() - age, now() - age, now()
     FROM members, (VALUES ('whk_old', interval '25 hours'), ('whk_new', interval '1 hour')) made (subject, age) WHERE account_id = $1`,
    [accountId],
  );
  const log = startNotices({ send: () => Promise.reject(new Error('no')) });
  await until(async () => (await waiting(accountId)) === 1, 'the old one is given up');
  const { rows } = await t.database.pool.query(
    'SELECT subject_id, attempts FROM notices WHERE account_id = $1 AND due_at IS NOT NULL',
    [accountId],
  );
  expect(rows).toEqual([{ subject_id: 'whk_new', attempts: 1 }]);
  expect(log.text()).toContain('notice not sent');
});

test('a mail server that does not answer delays no notice', async () => {
  const owner = await signUp(t.url);
  await linkAs(owner, '6281234567897');
  const slow = recordingMailer();
  startNotices({ send: (mail) => slow.send(mail).then(() => new Promise<never>(() => undefined)) });
  await until(() => slow.mails.length === 1, 'a mail is on its way');
  await linkAs(owner, '6281234567898');
  await until(async () => (await waiting(owner.accountId)) === 2, 'the notice of the other number is made');
});

test('a stop waits for the mail on its way', async () => {
  await linkAs(await signUp(t.url), '6281234567899');
  const countMailed = async () =>
    (await t.database.pool.query('SELECT 1 FROM notices WHERE mailed_at IS NOT NULL')).rowCount ?? 0;
  const before = await countMailed();
  const onTheWay: (() => void)[] = [];
  const { stop } = startNotices({ send: () => new Promise((arrive) => void onTheWay.push(arrive)) });
  await until(() => onTheWay.length === 1, 'a mail is on its way');
  const stopping = stop();
  for (const arrive of onTheWay) arrive();
  await stopping;
  expect(await countMailed()).toBe(before + 1);
});
