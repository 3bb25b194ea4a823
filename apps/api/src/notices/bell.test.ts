/** Tests of the operations of the bell, and of a mail that gathers. */
import { createLogger } from '@kurir/logging';
import { waitUntil } from '@kurir/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Person, signUp, signUpAs } from '../../test/person.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';
import type { Mail } from '../mail/mailer.js';
import { createNotices } from './notices.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const silent = () =>
  createLogger({ name: 'api', level: 'debug', pretty: false, destination: { write: () => undefined } });

function start(mails: Mail[] | null): void {
  const notices = createNotices({
    database: t.database,
    mailer: mails === null ? null : { send: async (mail) => void mails.push(mail) },
    logger: silent(),
    seller: t.api.seller,
    publicUrl: () => 'https://kurir.test',
    signalLivePages: t.api.signalLivePages,
  });
  notices.start();
  onTestFinished(() => notices.stop());
}

const useQuota = ({ accountId }: Person) =>
  t.database.pool.query('UPDATE subscription_periods SET initial_quota = 10, taken_quota = 8 WHERE account_id = $1', [
    accountId,
  ]);

async function bellOf(person: Person) {
  const { body } = await person.browser.call('listNotices');
  return body.data as { unread: number; notices: { notice_id: string; kind: string; read: boolean }[] };
}

const hasNotice = (person: Person) =>
  waitUntil(async () => (await bellOf(person)).unread > 0, { what: 'the bell has a notice', timeoutMs: 30_000 });

test('the bell shows a notice without a mail server, is live, and forgets what the person has read', async () => {
  const owner = await signUp(t.url);
  const stranger = await signUp(t.url);
  start(null);
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const stream = await fetch(`${t.url}/app/api/events`, {
    headers: { Cookie: owner.browser.cookie },
    signal: closing.signal,
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await useQuota(owner);
  await hasNotice(owner);
  let seen = '';
  while (!seen.includes('event: notices')) seen += (await reader?.read())?.value ?? '';
  const { notices, unread } = await bellOf(owner);
  expect(notices).toMatchObject([{ kind: 'quota.low', read: false }]);
  expect(unread).toBe(1);
  expect(await bellOf(stranger)).toMatchObject({ unread: 0, notices: [] });
  const body = { notice_id: notices[0]?.notice_id };
  expect((await stranger.browser.call('readNotices', { body })).status).toBe(200);
  expect((await bellOf(owner)).unread).toBe(1);
  expect((await owner.browser.call('readNotices', { body })).body.data).toEqual({ unread: 0 });
  expect((await bellOf(owner)).notices).toMatchObject([{ read: true }]);
});

test('a choice is stored for the person, is refused for an unknown kind, and shows the kinds of the role', async () => {
  const owner = await signUp(t.url);
  const viewer = await signUpAs(t.url, t.database, owner.accountId, 'viewer');
  const body = { kind: 'quota.low', mail: false, bell: false };
  const { body: answer } = await owner.browser.call('chooseNotices', { body });
  expect(answer.data['choices']).toContainEqual({ ...body, always: false });
  expect((await owner.browser.call('listNoticeChoices')).body.data).toEqual(answer.data);
  expect((await viewer.browser.call('listNoticeChoices')).body.data).toEqual({ choices: [] });
  expect((await owner.browser.call('chooseNotices', { body: { ...body, kind: 'nothing' } })).status).toBe(422);
  expect((await owner.browser.call('readNotices', { body: { notice_id: 'x' } })).status).toBe(422);
  expect((await owner.browser.call('listNotices', { query: 'cursor=rubbish' })).body.data).toMatchObject({
    notices: [],
  });
});

test('two endpoints that fail stand in one mail, and a person who left gets none', async () => {
  const owner = await signUp(t.url);
  const gone = await signUpAs(t.url, t.database, owner.accountId, 'developer');
  const mails: Mail[] = [];
  for (const id of ['whk_01kajp4m3s5y8zt0v6qk2c9hb1', 'whk_01kajp4m3s5y8zt0v6qk2c9hb2'])
    await t.database.pool.query(
      `INSERT INTO events (account_id, generation, subject_id, kind, state) VALUES ($1, event_generation(), $2, 'webhook.failing', '24')`,
      [owner.accountId, id],
    );
  start(mails);
  start(mails);
  await hasNotice(gone);
  await t.database.pool.query('DELETE FROM members WHERE user_id = $1', [gone.userId]);
  await t.database.pool.query(
    `UPDATE notices SET due_at = now() - interval '1 second' WHERE account_id = $1 AND due_at IS NOT NULL`,
    [owner.accountId],
  );
  const ofWebhooks = () => mails.filter(({ subject }) => subject.includes('webhook'));
  await waitUntil(async () => ofWebhooks().length > 0, { what: 'the mail is sent', timeoutMs: 30_000 });
  expect(ofWebhooks()).toMatchObject([{ recipient: owner.email, subject: '2 webhooks failing' }]);
  expect(ofWebhooks()[0]?.text).toContain('whk_01kajp4m3s5y8zt0v6qk2c9hb2');
});
