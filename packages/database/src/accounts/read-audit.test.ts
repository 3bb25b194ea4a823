import { setImmediate } from 'node:timers/promises';
import { type AccountId, type AuditAction, limits, newId } from '@kurir/contracts';
import { beforeEach, expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { rowsReadBy, statementsOf } from '../../test/statements.js';
import { ageOutSmallTables } from '../retention/age-out.js';
import { noteReading, noteRefusedSignIn } from './audit.js';
import { addMember } from './members.js';
import { ensurePerson } from './people.js';
import { type AuditFilter, readAudit, wholeLog } from './read-audit.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();

let accountId: AccountId;
beforeEach(async () => {
  ({ accountId } = await fixture().tenant());
});

type Given = { actor?: string; action?: AuditAction; subject?: string; address?: string };

let lastMs = 0;

/** Ids of one millisecond have no order, so each entry waits for the next one. */
async function note(given: Given = {}): Promise<void> {
  const { actor = 'usr_1', action = 'key.created', subject = 'kk_live_1', address = '203.0.113.7' } = given;
  while (Date.now() <= lastMs) await setImmediate();
  await noteReading(fixture().database, { accountId, actor, action, address }, subject);
  lastMs = Date.now();
}

async function read(filter: Partial<AuditFilter> = {}, page = { limit: 100, cursor: null as string | null }) {
  return readAudit(fixture().database, accountId, page, { ...wholeLog, ...filter });
}
const found = async (filter: Partial<AuditFilter>) => (await read(filter)).entries.map(({ action }) => action);

test.each<[string, Partial<AuditFilter>, AuditAction[]]>([
  ['the noun of an action', { nouns: ['key'] }, ['key.revoked', 'key.created']],
  ['no noun', { nouns: [] }, []],
  ['the actor', { actor: 'usr_2' }, ['device.created']],
  ['the target', { subject: 'kk_live_1' }, ['key.revoked', 'key.created']],
  ['several at once', { nouns: ['key'], actor: 'usr_2' }, []],
  ['a time that has begun', { since: new Date(Date.now() - 60_000) }, ['key.revoked', 'device.created', 'key.created']],
  ['a time that is over', { until: new Date(Date.now() - 60_000) }, []],
  ['a time before all clocks', { since: new Date(-1) }, ['key.revoked', 'device.created', 'key.created']],
])('entries are found by %s', async (_what, filter, actions) => {
  await note();
  await note({ actor: 'usr_2', action: 'device.created', subject: 'dev_1' });
  await note({ action: 'key.revoked' });
  expect(await found(filter)).toEqual(actions);
});

test('pages of a filter have each entry once, and end', async () => {
  for (let i = 0; i < 5; i++) {
    await note({ subject: `kk_live_${i}` });
    await note({ action: 'device.created' });
  }
  const subjects: (string | null)[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read({ nouns: ['key'] }, { limit: 2, cursor });
    subjects.push(...page.entries.map(({ subject }) => subject));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(subjects).toEqual(['kk_live_4', 'kk_live_3', 'kk_live_2', 'kk_live_1', 'kk_live_0']);
});

test('another account sees nothing, whatever it asks for', async () => {
  await note();
  const stranger = await fixture().tenant();
  const page = { limit: 100, cursor: null };
  const seen = await readAudit(fixture().database, stranger.accountId, page, { ...wholeLog, actor: 'usr_1' });
  expect(seen.entries).toEqual([]);
});

test('an address is forgotten after its days, and the entry stays', async () => {
  await note();
  expect((await read()).entries).toMatchObject([{ address: '203.0.113.7' }]);
  await fixture().query(
    `UPDATE audit_addresses SET at = now() - make_interval(days => $2, secs => 1) WHERE account_id = $1`,
    [accountId, limits.auditAddressDays],
  );
  // A worker may be late: nobody sees it any more all the same.
  expect((await read()).entries).toMatchObject([{ address: null }]);
  expect(await ageOutSmallTables(fixture().database, signal)).toBe(1);
  expect(await fixture().query('SELECT 1 FROM audit_addresses WHERE account_id = $1', [accountId])).toEqual([]);
  expect(await found({})).toEqual(['key.created']);
});

test('a refused sign-in has the address of whoever tried', async () => {
  const person = { email: `${newId('usr')}@example.com`, name: 'n', passwordHash: 'x', isAdmin: false };
  const userId = await ensurePerson(fixture().database, person);
  await addMember(fixture().database, accountId, userId, 'owner');
  await noteRefusedSignIn(fixture().database, userId, '198.51.100.9');
  await noteRefusedSignIn(fixture().database, userId, null);
  expect((await read({ nouns: ['session'] })).entries).toMatchObject([
    { actor: 'unknown', address: null },
    { actor: 'unknown', address: '198.51.100.9' },
  ]);
});

test('a page of a small account, an actor or a target reads few entries of a large log', async () => {
  await fixture().query(
    `INSERT INTO audit_log (id, account_id, actor, action, subject)
     SELECT 'aud_00' || lpad(n::text, 12, '0') || CASE WHEN n % 2 = 0 THEN $1 ELSE '' END,
            CASE WHEN n % 2 = 0 THEN $1 ELSE 'acc_other' END, 'usr_many', 'message.sent', 'msg_' || n
     FROM generate_series(1, 40000) n`,
    [accountId],
  );
  await fixture().query('ANALYZE audit_log');
  await note({ actor: 'usr_few' });
  // Nobody has this action: each page looks through a part, and the last one ends.
  const pages: number[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof read>> = await read({ nouns: ['nobody'] }, { limit: 10, cursor });
    pages.push(page.entries.length);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  expect(pages).toEqual([0, 0]);
  for (const filter of [{}, { actor: 'usr_few' }, { subject: 'msg_4' }, { since: new Date(Date.now() - 60_000) }]) {
    // Each of some twenty steps of the plan reads the eleven entries of the page.
    for (const statement of await statementsOf(() => read(filter, { limit: 10, cursor: null })))
      expect(await rowsReadBy(fixture().database, statement)).toBeLessThan(400);
  }
});
