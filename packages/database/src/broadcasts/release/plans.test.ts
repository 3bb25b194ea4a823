/** The plans of the statements that each step of a broadcast runs, also before Postgres has analyzed its tables. */
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { broadcastsOn } from '../../../test/broadcast-fixture.js';
import { useDatabaseFixture } from '../../../test/database-fixture.js';

const fixture = useDatabaseFixture();
const { many, drive, running } = broadcastsOn(fixture);

type Plan = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
};
type Statement = { readonly name?: string; readonly text?: string; readonly values?: readonly unknown[] };

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The statements with a name that `work` sends. */
async function statementsOf(work: () => Promise<unknown>): Promise<ReadonlyMap<string, string>> {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // The spy knows only the first signature of `query`.
    const calls = spy.mock.calls as unknown as [Statement | string][];
    return new Map(
      calls.flatMap(([asked]) =>
        typeof asked === 'object' && asked.name !== undefined ? [[asked.name, asked.text ?? ''] as const] : [],
      ),
    );
  } finally {
    spy.mockRestore();
  }
}

/** The parts of its plan that use an index whose name begins so. */
async function nodesOfPlan(
  statements: ReadonlyMap<string, string>,
  name: string,
  index = 'broadcast_recipients',
): Promise<Plan[]> {
  const [row] = await fixture().query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statements.get(name) ?? `-- ${name} was not sent`}`,
  );
  const nodes = row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan);
  return nodes.filter((node) => node['Index Name']?.startsWith(index));
}

test('people in open zones are found by zone, also where a device has many in closed ones', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(3));
  const nodes = await nodesOfPlan(await statementsOf(() => drive(id)), 'find-pending-in-zones');
  const conditions = nodes.map((node) => [node['Index Name'], node['Index Cond'] ?? '']);
  expect(conditions.filter(([, condition]) => condition?.includes('zone'))).toHaveLength(2);
  // The others look for the next device.
  for (const [index, condition] of conditions) {
    expect(index).toBe('broadcast_recipients_pending_idx');
    expect(condition).toMatch(/broadcast_id.*device_id/);
  }
});

test.each([
  ['read-new-pending', /^Index Scan$/, 'broadcast_recipients_pending_idx', 'zone'],
  ['read-own-pending', /^Index Scan$/, 'broadcast_recipients_pending_idx', 'zone'],
  ['look-up-strangers', /^Index Scan$/, 'broadcast_recipients_pkey', '"position" >'],
  ['note-released', /^Index Scan$/, 'broadcast_recipients_pkey', '"position"'],
])('%s reads only the rows that it needs', async (name, scan, index, column) => {
  const tenant = await fixture().tenant({ quota: 1_000 });
  const id = await running(tenant, many(300));
  await fixture().query('UPDATE broadcasts SET looked_up_to = 0 WHERE id = $1', [id]);
  const statements = await statementsOf(() => drive(id));
  const ofRecipients = await nodesOfPlan(statements, name);
  expect(ofRecipients.map((node) => [node['Node Type'], node['Index Name'], node['Index Cond']])).toEqual([
    [expect.stringMatching(scan), index, expect.stringContaining(column)],
  ]);
});

test('the guards read the latest messages of a device, however many have failed', async () => {
  const tenant = await fixture().tenant({ quota: 10_000 });
  const id = await running(tenant, many(10), { guardFailed: 100, guardOptedOut: 100 });
  // As many failures as successes.
  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, category, recipient, network_message_id, status, reason,
       event_count, broadcast_id)
     SELECT 'msg_' || $3 || n, $1, $2, 'k', 'r', 2, 2, '62813' || n, 'n' || n, CASE n % 2 WHEN 0 THEN 'failed' ELSE 'sent' END,
       CASE n % 2 WHEN 0 THEN 'rejected_by_network' END, 1, $3 FROM generate_series(1, 3000) n`,
    [tenant.accountId, tenant.deviceId, id],
  );
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  await drive(id);
  const calls = spy.mock.calls as unknown as [Statement | string][];
  const guards = calls.flatMap(([asked]) =>
    typeof asked === 'object' && asked.name?.startsWith('find-tripped') ? [asked] : [],
  );
  spy.mockRestore();
  expect(guards.length).toBeGreaterThan(0);
  for (const { text, values } of guards) {
    const [row] = await fixture().query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [
      ...(values ?? []),
    ]);
    const read = (row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan)).filter(({ 'Node Type': type }) =>
      type.includes('Scan'),
    );
    for (const node of read) expect((node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0)).toBeLessThan(500);
    expect(read.length).toBeGreaterThan(0);
  }
});

test('the marketing of a person is read from the latest on', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(3), { maxPerDay: 1 });
  const statements = await statementsOf(() => drive(id));
  const nodes = await nodesOfPlan(statements, 'read-too-often', 'messages_');
  expect(nodes.map((node) => [node['Node Type'], node['Index Name'], node['Index Cond']])).toEqual([
    ['Index Scan', 'messages_marketing_idx', expect.stringMatching(/recipient.*CASE.* > /)],
  ]);
});
