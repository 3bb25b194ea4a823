/** Tests "delete my account" and "export my data" over HTTP. */
import { createDevice } from '@kurir/database';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createConnectedDevice } from '../../../test/customer-fixture.js';
import { password, type Person, signUp, signUpAs } from '../../../test/person.js';
import { aMessage } from '../../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../../test/test-api.js';

let t: TestApi;
let person: Person;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());
beforeEach(async () => {
  person = await signUp(t.url);
});

type Line = Record<string, unknown> & { kind: string };

async function exported(operation: 'exportMe' | 'exportAccount', who = person): Promise<Line[]> {
  const path = operation === 'exportMe' ? '/app/api/me/export' : '/app/api/account/export';
  const answer = await who.browser.fetch('GET', path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('Content-Disposition')).toContain('.ndjson');
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const kindsOf = (lines: readonly Line[]) => [...new Set(lines.map(({ kind }) => kind))];
const auditOf = async (actor: string) =>
  (
    await t.database.pool.query<{ action: string }>('SELECT action FROM audit_log WHERE actor = $1 ORDER BY id', [
      actor,
    ])
  ).rows.map(({ action }) => action);

describe('the export of a person', () => {
  test('has profile, memberships, sessions and audit entries, of nobody else, and is audited', async () => {
    const other = await signUpAs(t.url, t.database, person.accountId, 'viewer');
    const lines = await exported('exportMe');
    expect(kindsOf(lines)).toEqual(['person', 'membership', 'session', 'audit']);
    expect(lines[0]).toMatchObject({ user_id: person.userId, email: person.email });
    const session = lines.find(({ kind }) => kind === 'session');
    expect(session).toMatchObject({
      ip_address: expect.stringMatching(/^198\.51\./),
      created_at: expect.stringMatching(/Z$/),
    });
    const text = JSON.stringify(lines);
    for (const foreign of [other.email, other.userId]) expect(text).not.toContain(foreign);
    expect(text).not.toMatch(/argon2|token/);
    expect(await auditOf(person.userId)).toContain('person.exported');
  });
});

describe('the export of an account', () => {
  test('has devices, keys without secrets, contacts, and messages with their texts, and is audited', async () => {
    const { accountId, browser } = person;
    const deviceId = await createConnectedDevice(t.database, accountId);
    const made = await browser.call('createKey', { body: { name: 'Toko' } });
    const { api_secret: secret } = made.body.data;
    await browser.call('sendMessage', { deviceId, body: { ...aMessage, message: 'Pesanan siap' } });
    await t.database.pool.query(
      `INSERT INTO device_contacts (device_id, recipient, wrote_at) VALUES ($1, '6281', now())`,
      [deviceId],
    );
    await browser.call('createTemplate', { body: { name: 'Promo', text: 'Halo {{nama}}' } });
    const lines = await exported('exportAccount');
    expect(kindsOf(lines)).toEqual([
      'account',
      'member',
      'device',
      'key',
      'contact',
      'template_version',
      'period',
      'audit',
      'message',
    ]);
    expect(lines.find(({ kind }) => kind === 'template_version')).toMatchObject({
      name: 'Promo',
      text: 'Halo {{nama}}',
    });
    expect(lines.find(({ kind }) => kind === 'message')).toMatchObject({ text: 'Pesanan siap', status: 'queued' });
    expect(lines.find(({ kind }) => kind === 'contact')).toMatchObject({ phone: '6281', device_id: deviceId });
    expect(JSON.stringify(lines)).not.toContain(String(secret));
    expect(await auditOf(person.userId)).toContain('account.exported');
  });

  test('goes through more rows than a page has, and an erased text is null', async () => {
    const { accountId } = person;
    const deviceId = await createDevice(t.database, { accountId, name: 'd', network: 'simulator' });
    await t.database.pool.query(
      `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, network_message_id, event_count)
       SELECT 'msg_x' || n || $1, $1, $2, 'k', 'r', 1, '62' || n, 'N' || n, 1 FROM generate_series(1, 1201) n`,
      [accountId, deviceId],
    );
    const messages = (await exported('exportAccount')).filter(({ kind }) => kind === 'message');
    expect(new Set(messages.map(({ job_id: id }) => id)).size).toBe(1_201);
    expect(messages.every(({ text }) => text === null)).toBe(true);
  });
});

describe('erasing an account in the dashboard', () => {
  const nameOf = async () => ((await person.browser.call('readMe')).body.data['account'] as { name: string }).name;

  test('needs its exact name', async () => {
    const answer = await person.browser.call('eraseAccount', { body: { name: 'another' } });
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
  });

  test('shuts all members out at once; its owner sees a new account without a trial', async () => {
    const { accountId, browser, userId } = person;
    const viewer = await signUpAs(t.url, t.database, accountId, 'viewer');
    const answer = await browser.call('eraseAccount', { body: { name: await nameOf() } });
    expect(answer.body.data).toEqual({ account_id: accountId });
    for (const { browser: each } of [person, viewer]) {
      const me = await each.call('readMe');
      expect(JSON.stringify(me.body.data)).not.toContain(accountId);
    }
    expect((await browser.call('accountInfo')).body.code).toBe('NO_PLAN_CHOSEN');
    expect(await auditOf(userId)).toContain('account.erased');
  });
});

describe('erasing oneself in the dashboard', () => {
  test('needs the own address', async () => {
    const answer = await person.browser.call('eraseMe', { body: { email: 'another@example.com' } });
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
  });

  test('ends all sessions, and nobody signs in with the address any more', async () => {
    const { browser, email, userId } = person;
    expect((await browser.call('eraseMe', { body: { email } })).body.data).toEqual({ user_id: userId });
    expect((await browser.call('readMe')).body.code).toBe('SESSION_REQUIRED');
    const { rows } = await t.database.pool.query('SELECT 1 FROM users WHERE email = $1', [email]);
    expect(rows).toEqual([]);
    expect(await auditOf(userId)).toContain('person.erased');
  });

  test('is refused to the last owner of an account with others, with what to do', async () => {
    await signUpAs(t.url, t.database, person.accountId, 'viewer');
    const answer = await person.browser.call('eraseMe', { body: { email: person.email } });
    expect([answer.status, answer.body.code, answer.body.error]).toEqual([
      409,
      'LAST_OWNER',
      expect.stringContaining('Make another member owner'),
    ]);
  });
});

test.each(['eraseMe', 'eraseAccount', 'exportMe', 'exportAccount'] as const)(
  '%s needs a fresh password, also without two-factor sign-in',
  async (operation) => {
    await t.database.pool.query(`UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      person.userId,
    ]);
    const body = { eraseMe: { email: person.email }, eraseAccount: { name: person.email } };
    const given = operation === 'eraseMe' || operation === 'eraseAccount' ? { body: body[operation] } : {};
    const refused = await person.browser.call(operation, given);
    expect(refused.body.code).toBe('CONFIRMATION_REQUIRED');
    await person.browser.call('confirmSession', { body: { password } });
    const outcome = await person.browser.fetch('GET', '/app/api/me/export');
    expect(outcome.status).toBe(200);
  },
);
