import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { createOutcomeWriter } from '../messages/report-outcome.js';
import { keepPlansFresh, type PlanKeeper } from './keep-plans-fresh.js';

// One connection, so that the test can look at its prepared statements.
const fixture = useDatabaseFixture({ poolSize: 1 });

let tenant: Tenant;
let plans: PlanKeeper;

/** The statements that run with every message, in the order of its life. */
const statements: Record<string, () => Promise<unknown>> = {
  claiming: () => fixture().claim(tenant.holder),
  answering: () => createOutcomeWriter(fixture().database).answered({ id: 'msg_1', attempts: 1 }, 1n, { kind: 'sent' }),
  reporting: () =>
    createOutcomeWriter(fixture().database).reported({
      deviceId: tenant.deviceId,
      networkMessageId: 'N1',
      status: 'read',
    }),
};

type Asked = { readonly name: string; readonly values: readonly (Scalar | readonly Scalar[])[] };

/** Runs the work and returns its prepared statement. */
async function prepare(work: () => Promise<unknown>): Promise<Asked> {
  const spy = vi.spyOn(fixture().database.pool, 'query');
  try {
    await work();
    // All of these pass an object with a name; the spy knows only the first signature of `query`.
    return present(spy.mock.calls[0])[0] as unknown as Asked;
  } finally {
    spy.mockRestore();
  }
}

type Scalar = string | number | bigint | null;
const element = (value: Scalar) => (value === null ? 'NULL' : `"${value}"`);
const literal = (value: Scalar | readonly Scalar[]) =>
  typeof value === 'object' && value !== null ? `'{${value.map(element).join()}}'` : String(value);

/** The tables that the prepared statement reads as a whole, in the present plan of the connection. */
async function readAsAWhole({ name, values }: Asked): Promise<string[]> {
  const rows = await fixture().query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (COSTS off) EXECUTE "${name}" (${values.map(literal).join()})`,
  );
  const lines = rows.map((row) => row['QUERY PLAN']);
  return lines.flatMap((line, i) => {
    const table = /(?:Seq Scan|Index Scan using \S+|Index Only Scan using \S+) on (\w+)/.exec(line)?.[1];
    return table === undefined || /Index Cond/.test(lines[i + 1] ?? '') ? [] : [table];
  });
}

beforeAll(async () => {
  // Only the test starts a look, because a look at any other time would decide the test.
  plans = keepPlansFresh(fixture().database, { onError: () => {}, everyMs: 3_600_000 });
  tenant = await fixture().tenant({ quota: null });
  await fixture().accept(tenant);
  await fixture().query('ANALYZE');
  await plans.check();
});
afterAll(() => plans.stop());

test('a statement that was planned for nearly empty tables is planned again when they have grown', async () => {
  const asked: Asked[] = [];
  for (const work of Object.values(statements)) asked.push(await prepare(work));
  const whole = async () => (await Promise.all(asked.map(readAsAWhole))).flat();
  expect(await whole()).toContain('messages');

  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id, status, event_count)
     SELECT 'msg_' || n, account_id, device_id, key_id, request_id, priority, '6281' || n, body, 'N' || n, 'read', 1
     FROM messages, generate_series(1, 20000) n`,
  );
  expect(await whole()).toContain('messages');
  expect(await plans.check()).toContain('messages');
  expect(await whole()).not.toContain('messages');
});

test('a table that has not grown is not analyzed again', async () => {
  await plans.check();
  expect(await plans.check()).toEqual([]);
});
