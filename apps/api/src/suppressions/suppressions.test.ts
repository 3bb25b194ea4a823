import { optOutWordMaxLength, usualOptOut } from '@kurir/contracts';
import { type MemberRole } from '@kurir/contracts/dashboard';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCustomer, type Customer } from '../../test/customer-fixture.js';
import { personOf, writeTo } from '../../test/inbound-fixture.js';
import { signUp, signUpAs } from '../../test/person.js';
import { aMessage, call, type CallOptions } from '../../test/signed-request.js';
import { startTestApi, type TestApi } from '../../test/test-api.js';

let t: TestApi;
beforeAll(async () => {
  t = await startTestApi({ KURIR_TRUST_PROXY: 1 });
});
afterAll(() => t.close());

const phone = '6281234567890';
const other = '6281234567891';

type Operation = Parameters<typeof call>[2];
async function data<T = Record<string, unknown>>(customer: Customer, operation: Operation, options: CallOptions = {}) {
  const answer = await call(t.url, customer, operation, options);
  expect(answer.status, answer.body.error).toBe(200);
  // Each test asserts the shape that it needs.
  return answer.body.data as T;
}

type Listed = {
  suppressions: {
    phone: string | null;
    user_id: string | null;
    scope: string;
    reason: string;
    message_id: string | null;
    added_by: string | null;
  }[];
  next_cursor: string | null;
};
const list = (customer: Customer, query?: string) =>
  data<Listed>(customer, 'listSuppressions', query === undefined ? {} : { query });
const add = (customer: Customer, body: object) => data(customer, 'addSuppressions', { body });
const send = (customer: Customer, body: object = {}) =>
  call(t.url, customer, 'sendMessage', { body: { ...aMessage, category: 'marketing', ...body } });

async function statusOf(customer: Customer, jobId: unknown) {
  const { status, reason } = await data<{ status: string; reason: string | null }>(customer, 'getMessage', {
    jobId: String(jobId),
  });
  return [status, reason];
}

async function audited({ accountId }: Customer) {
  const { rows } = await t.database.pool.query<{ action: string; actor: string; row: string }>(
    'SELECT action, actor, l::text AS row FROM audit_log l WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
  return rows;
}

/** A thousand possible numbers. */
const thousand = Array.from({ length: 1_000 }, (_, i) => String(6_281_200_000_000 + i));

describe('a suppression', () => {
  test('stops a waiting message, and refuses a later one alone and in a bulk', async () => {
    const customer = await createCustomer(t.database);
    const { job_id: waiting } = (await send(customer)).body.data;
    const { job_id: code } = (await send(customer, { category: 'transactional' })).body.data;
    expect(await add(customer, { phone })).toEqual({ added: 1, cancelled: 1 });
    expect(await statusOf(customer, waiting)).toEqual(['cancelled', 'recipient_suppressed']);
    expect(await statusOf(customer, code)).toEqual(['queued', null]);
    const refused = await send(customer);
    expect([refused.status, refused.body.code]).toEqual([422, 'RECIPIENT_SUPPRESSED']);
    expect((await send(customer, { category: 'transactional' })).status).toBe(200);
    const messages = [phone, other].map((to) => ({ message: 'Hi', phone_destination: to, category: 'marketing' }));
    const { results } = await data<{ results: { code?: string }[] }>(customer, 'sendBulk', { body: { messages } });
    expect(results.map(({ code: refusal }) => refusal ?? 'stored')).toEqual(['RECIPIENT_SUPPRESSED', 'stored']);
  });

  test('of the scope all refuses everything, and its removal lets everything through', async () => {
    const customer = await createCustomer(t.database);
    await add(customer, { phone, scope: 'all', reason: 'complaint' });
    expect((await send(customer, { category: 'authentication' })).body.code).toBe('RECIPIENT_SUPPRESSED');
    const remove = (query?: string) =>
      data(customer, 'removeSuppression', { phone, ...(query === undefined ? {} : { query }) });
    expect(await remove('scope=marketing')).toEqual({ removed: false });
    expect(await remove()).toEqual({ removed: true });
    expect(await remove()).toEqual({ removed: false });
    expect((await send(customer)).status).toBe(200);
  });

  test('that comes again adds nothing and is noted once, without the number', async () => {
    const customer = await createCustomer(t.database);
    expect(await add(customer, { phones: [phone, phone, other] })).toEqual({ added: 2, cancelled: 0 });
    expect(await add(customer, { phones: [phone, other] })).toEqual({ added: 0, cancelled: 0 });
    await data(customer, 'removeSuppression', { phone });
    const rows = await audited(customer);
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['suppression.added', customer.key.id],
      ['suppression.removed', customer.key.id],
    ]);
    for (const { row } of rows) expect(row).not.toContain(phone.slice(2));
  });

  test('of a thousand people is one request, and the list shows each of them once, page by page', async () => {
    const customer = await createCustomer(t.database);
    expect(await add(customer, { phones: thousand, reason: 'import' })).toEqual({ added: 1_000, cancelled: 0 });
    const seen: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Listed = await list(customer, `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.suppressions.map((shown) => shown.phone));
      cursor = page.next_cursor;
    }
    expect(seen.length).toBe(1_000);
    expect(new Set(seen)).toEqual(new Set(thousand));
  });

  test.each([
    [{}, 'INVALID_REQUEST', 'phone:'],
    [{ phone, phones: [other] }, 'INVALID_REQUEST', 'phones:'],
    [{ phones: [] }, 'INVALID_REQUEST', 'phones:'],
    [{ phones: [...thousand, other] }, 'INVALID_REQUEST', 'phones:'],
    [{ phone, scope: 'some' }, 'INVALID_REQUEST', 'scope:'],
    [{ phone, reason: 'keyword' }, 'INVALID_REQUEST', 'reason:'],
    [{ phone, number: other }, 'INVALID_REQUEST', 'number'],
    [{ phone: '0812' }, 'INVALID_PHONE_NUMBER', 'phone:'],
    [{ phones: [phone, other, phone, '+62 812'] }, 'INVALID_PHONE_NUMBER', 'phones[3]:'],
  ])('is refused as %j', async (body, code, named) => {
    const customer = await createCustomer(t.database);
    const { status, body: answer } = await call(t.url, customer, 'addSuppressions', { body });
    expect([status, answer.code]).toEqual([422, code]);
    expect(answer.error).toContain(named);
    expect((await list(customer)).suppressions).toEqual([]);
  });
});

describe('the list', () => {
  test('says who, why, and who added it, and filters by scope', async () => {
    const customer = await createCustomer(t.database);
    const budi = personOf('lid:11', '6281200000111');
    await writeTo(t.database, customer.deviceId, 'STOP', budi);
    await writeTo(t.database, customer.deviceId, 'STOP', personOf('lid:12', null));
    await add(customer, { phone, scope: 'all', reason: 'bounced' });
    const proof = { scope: 'marketing', reason: 'keyword', message_id: expect.stringMatching(/^inb_/), added_by: null };
    const bounced = { phone, user_id: null, scope: 'all', reason: 'bounced', message_id: null };
    const { suppressions } = await list(customer);
    expect(suppressions).toEqual([
      { ...bounced, added_by: customer.key.id, created_at: expect.any(String) },
      { ...proof, phone: null, user_id: 'lid:12', created_at: expect.any(String) },
      // Each person once, also one of whom the network shows both.
      { ...proof, phone: budi.phone, user_id: null, created_at: expect.any(String) },
    ]);
    expect((await list(customer, 'scope=all')).suppressions.map((shown) => shown.phone)).toEqual([phone]);
    expect(await data(customer, 'removeSuppression', { phone: 'lid:12' })).toEqual({ removed: true });
    expect(await data(customer, 'removeSuppression', { phone: budi.phone ?? '' })).toEqual({ removed: true });
    expect((await list(customer, 'scope=marketing')).suppressions).toEqual([]);
  });

  test('finds an erased number, and the removal does too', async () => {
    const customer = await createCustomer(t.database);
    await add(customer, { phone });
    await t.database.pool.query('UPDATE suppressions SET recipient = NULL WHERE account_id = $1', [customer.accountId]);
    expect((await list(customer)).suppressions).toMatchObject([{ phone: null, user_id: null }]);
    expect((await list(customer, `phone=${phone}`)).suppressions).toHaveLength(1);
    expect((await list(customer, `phone=${other}`)).suppressions).toEqual([]);
    expect(await data(customer, 'removeSuppression', { phone })).toEqual({ removed: true });
  });

  test.each(['rubbish', '1.2.3', '-', '99999999999999.AAAA.m', 'x'.repeat(64)])(
    'takes the cursor %s',
    async (cursor) => {
      const answer = await call(t.url, await createCustomer(t.database), 'listSuppressions', {
        query: `cursor=${cursor}`,
      });
      expect(answer.status).toBeLessThan(500);
    },
  );

  test('of another account shows nothing, and nothing can be removed there', async () => {
    const [customer, stranger] = [await createCustomer(t.database), await createCustomer(t.database)];
    await add(customer, { phone });
    expect((await list(stranger, `phone=${phone}`)).suppressions).toEqual([]);
    expect(await data(stranger, 'removeSuppression', { phone })).toEqual({ removed: false });
    expect((await send(stranger)).status).toBe(200);
    expect((await list(customer)).suppressions).toHaveLength(1);
  });
});

test.each([
  ['viewer', 'ROLE_NOT_ALLOWED'],
  ['developer', undefined],
] satisfies [MemberRole, string | undefined][])('a %s may look, and change or not', async (role, refusal) => {
  const owner = await signUp(t.url);
  const { browser } = await signUpAs(t.url, t.database, owner.accountId, role);
  for (const operation of ['listSuppressions', 'getOptOut'] as const)
    expect((await browser.call(operation)).status).toBe(200);
  const changes = [
    await browser.call('addSuppressions', { body: { phone } }),
    await browser.call('removeSuppression', { params: { phone } }),
    await browser.call('setOptOut', { body: optOut() }),
  ];
  expect(changes.map(({ body }) => body.code)).toEqual([refusal, refusal, refusal]);
});

const optOut = (changed: object = {}) => ({
  stop_words: ['Gak mau'],
  start_words: ['Mau'],
  stop_reply: null,
  start_reply: 'Siap! 🎉',
  ...changed,
});

describe('the words and the replies', () => {
  test('are the usual ones until the account has its own, which hold at once', async () => {
    const customer = await createCustomer(t.database);
    expect(await data(customer, 'getOptOut')).toEqual({
      stop_words: usualOptOut('ID').stopWords,
      start_words: usualOptOut('ID').startWords,
      stop_reply: expect.stringContaining('Balas MULAI'),
      start_reply: expect.stringContaining('Balas BERHENTI'),
    });
    expect(await data(customer, 'setOptOut', { body: optOut() })).toEqual(optOut());
    expect(await data(customer, 'getOptOut')).toEqual(optOut());
    await writeTo(t.database, customer.deviceId, 'STOP', personOf('lid:21', null));
    await writeTo(t.database, customer.deviceId, 'gak mau!', personOf('lid:22', null));
    expect((await list(customer)).suppressions.map((shown) => shown.user_id)).toEqual(['lid:22']);
    expect((await audited(customer)).map(({ action }) => action)).toEqual(['opt_out.changed']);
  });

  test('are English in another country', async () => {
    const customer = await createCustomer(t.database);
    await t.database.pool.query(`UPDATE accounts SET country = 'GB' WHERE id = $1`, [customer.accountId]);
    expect(await data(customer, 'getOptOut')).toMatchObject({
      stop_words: usualOptOut('ID').stopWords,
      stop_reply: 'You will get no more promotions from us. Reply START to get them again.',
    });
  });

  test.each([
    [{ stop_words: [] }, 'stop_words:'],
    [{ start_words: Array.from({ length: 21 }, (_, i) => `w${i}`) }, 'start_words:'],
    [{ stop_words: ['x'.repeat(optOutWordMaxLength + 1)] }, 'stop_words[0]:'],
    [{ stop_words: ['STOP', '🛑'] }, 'stop_words[1]:'],
    [{ stop_words: ['a\u0000'] }, 'stop_words[0]:'],
    [{ start_words: ['ya', 'GAK  mau!'] }, 'start_words[1]: must not be one of stop_words'],
    [{ stop_reply: '' }, 'stop_reply:'],
    [{ stop_reply: '👋'.repeat(1_001) }, 'stop_reply:'],
    [{ start_reply: 7 }, 'start_reply:'],
    [{ start_reply: undefined }, 'start_reply: is required'],
    [{ footer: '' }, 'footer'],
  ])('are refused as %j', async (changed, named) => {
    const answer = await call(t.url, await createCustomer(t.database), 'setOptOut', { body: optOut(changed) });
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_REQUEST']);
    expect(answer.body.error).toContain(named);
  });

  test('may be as long as a thousand emoji', async () => {
    const body = optOut({ stop_reply: '👋'.repeat(1_000) });
    expect(await data(await createCustomer(t.database), 'setOptOut', { body })).toEqual(body);
  });
});
