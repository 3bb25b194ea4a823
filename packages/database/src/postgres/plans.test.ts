/** With many ended, scheduled or held messages, each statement of the hot paths uses an index. */
import { newId } from '@kurir/contracts';
import { beforeAll, expect, test } from 'vitest';
import { messageOf, present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { nodesOf, type Plan, type Statement, statementsOf } from '../../test/statements.js';
import { readDeviceActivity } from '../devices/device-activity.js';
import { readEvents } from '../events/events.js';
import { acceptTogether } from '../messages/accept-messages.js';
import { cancelMessages } from '../messages/cancel-messages.js';
import { readSentMessage } from '../messages/read-sent.js';
import { readWaiting } from '../messages/read-waiting.js';
import { createOutcomeWriter, giveUp } from '../messages/report-outcome.js';
import {
  expireMessages,
  failUnlinkedMessages,
  readDueLanes,
  readSendingDevices,
  wakeMessages,
} from '../messages/sweep-messages.js';
import { readBusiestLanes } from '../reports/busiest-lanes.js';
import { readAccountNow } from '../reports/overview.js';
import { checkNumbers } from '../contacts/check-numbers.js';
import { countDeviceDays } from '../devices/health/count-device-days.js';
import { forgetMessages } from '../retention/forget-messages.js';
import { forgetRequestKeys } from '../retention/forget-request-keys.js';
import { findOwnSent } from '../sandbox/simulated-phones.js';
import { releaseLeases, renewLeases } from '../sessions/leases.js';

const fixture = useDatabaseFixture({ poolSize: 2 });
const { signal } = new AbortController();
let tenant: Tenant;
let first: string;

/** Copies the tenant's first message this many times, with the same change in each. */
const copy = (count: number, from: number, change: string) =>
  fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id, attempts,
                           status, send_at, held_until, waits_until, created_at, event_count)
     SELECT 'msg_' || n, account_id, device_id, key_id, request_id, priority, '6281' || n, body, 'N' || n, 1, ${change}, 1
     FROM messages, generate_series($1::int, $2::int) n WHERE id = $3`,
    [from, from + count - 1, first],
  );

beforeAll(async () => {
  tenant = await fixture().tenant({ quota: null });
  first = present((await fixture().accept(tenant))[0]).messageId;
  await copy(
    120_000,
    1_000_000,
    `'read', NULL::timestamptz, NULL::timestamptz, NULL::timestamptz, now() - interval '1 hour'`,
  );
  const later = `now() + interval '1 hour'`;
  await copy(2_000, 2_000_000, `'queued', ${later}, NULL, ${later}, now() - interval '1 hour'`);
  await copy(500, 3_000_000, `'queued', NULL, ${later}, ${later}, now() - interval '1 hour'`);
  await fixture().accept(tenant, [{}, {}]);
  await fixture().query('ANALYZE messages');
});

async function explain(how: string, text: string, values: readonly unknown[]): Promise<Plan[]> {
  const [row] = await fixture().query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (${how} FORMAT JSON) ${text}`,
    values,
  );
  return row === undefined ? [] : nodesOf(row['QUERY PLAN'][0].Plan);
}

const planOf = ({ text, values }: Statement) => explain('', text, values);
/** The plan of a prepared statement for any values. */
const anyPlanOf = ({ text }: Statement) => explain('GENERIC_PLAN,', text, []);

const anyMessage = () => ({ deviceId: tenant.deviceId, networkMessageId: 'N1000001', status: 'read' as const });

test.each<[string, () => Promise<unknown>]>([
  ['claiming', () => fixture().claim(tenant.holder)],
  ['renewing', () => renewLeases(fixture().database, { owner: tenant.holder.owner, capacity: 1 }, [tenant.holder])],
  ['giving back', () => releaseLeases(fixture().database, [{ ...tenant.holder, owner: 'wrk_nobody' }])],
])(
  '%s compares no list of leases with another, even if statistics say that few leases are live',
  async (_what, work) => {
    await fixture().query(`
    INSERT INTO devices SELECT (jsonb_populate_record(d, jsonb_build_object('id', 'dev_' || n, 'client_ref', NULL))).*
    FROM devices d, generate_series(1, 600) n WHERE d.id = '${tenant.deviceId}' ON CONFLICT DO NOTHING`);
    await fixture().query(`
    INSERT INTO device_leases SELECT (jsonb_populate_record(l, jsonb_build_object('device_id', 'dev_' || n, 'expires_at', now() - interval '1 day'))).*
    FROM device_leases l, generate_series(1, 600) n WHERE l.device_id = '${tenant.deviceId}' ON CONFLICT DO NOTHING`);
    await fixture().query('ANALYZE device_leases');
    const [statement] = await statementsOf(work);
    const nodes = await anyPlanOf(present(statement));
    const leases = nodes.filter((node) => node['Relation Name'] === 'device_leases').map((node) => node['Node Type']);
    expect(leases.length).toBeGreaterThan(0);
    expect(leases).not.toContain('Seq Scan');
    expect(nodes.filter((node) => node['Join Filter']?.includes('epoch'))).toEqual([]);
  },
);

const standing = { id: 'msg_1', networkMessageId: '3EB0', attempts: 3, epoch: 1n, untried: false } as const;
test.each<[string, () => Promise<unknown>, readonly string[]]>([
  [
    'claiming',
    () => fixture().claim(tenant.holder),
    ['messages_lane_idx', 'messages_waiting_idx', 'messages_one_sending_idx', 'messages_pkey'],
  ],
  [
    'accepting',
    () => acceptTogether(fixture().database, fixture().accountKeys, [messageOf(tenant)]),
    ['request_keys_pkey'],
  ],
  [
    'answering',
    () => createOutcomeWriter(fixture().database).answered({ id: 'msg_1', attempts: 1 }, 1n, { kind: 'sent' }),
    ['messages_pkey'],
  ],
  ['reporting', () => createOutcomeWriter(fixture().database).reported(anyMessage()), ['messages_network_idx']],
  ['waking', () => wakeMessages(fixture().database), ['messages_wakes_idx']],
  ['finding due lanes', () => readDueLanes(fixture().database, [tenant.deviceId], 0), ['messages_lane_idx']],
  ['expiring', () => expireMessages(fixture().database), ['messages_expiry_idx']],
  ['ending the unlinked', () => failUnlinkedMessages(fixture().database), ['messages_lane_idx']],
  ['forgetting', () => forgetMessages(fixture().database, 400, signal), ['messages_pkey']],
  ['counting a backlog', () => readDeviceActivity(fixture().database, tenant.accountId, null), ['messages_lane_idx']],
  ['counting the backlogs', () => readAccountNow(fixture().database, tenant.accountId), ['messages_lane_idx']],
  [
    'finding the busiest lanes',
    () => readBusiestLanes(fixture().database, 10),
    ['messages_lane_idx', 'messages_one_sending_idx'],
  ],
  [
    'finding reasons of waits',
    () => readWaiting(fixture().database, ['msg_1000001', 'msg_2000001']),
    ['messages_pkey', 'device_health_pkey'],
  ],
  [
    'cancelling by a filter',
    () =>
      cancelMessages(fixture().database, newId('acc'), {
        status: null,
        deviceId: null,
        recipient: null,
        clientRef: null,
        priority: 'bulk',
        broadcastId: null,
        since: null,
        until: null,
      }),
    ['messages_lane_idx', 'messages_waiting_idx'],
  ],
  ['giving up', () => giveUp(fixture().database, tenant.holder, standing), ['messages_pkey']],
  [
    'checking numbers',
    () => checkNumbers(fixture().database, tenant.accountId, ['6281500000001']),
    ['messages_not_on_network_idx', 'device_contacts_pkey'],
  ],
  [
    'counting days',
    () => countDeviceDays(fixture().database, signal, { freshForMs: 0 }),
    ['messages_pkey', 'messages_scheduled_idx', 'inbound_messages_pkey', 'suppressions_account_id_created_at_idx'],
  ],
  [
    'finding devices with messages in flight',
    () => readSendingDevices(fixture().database, [tenant.deviceId]),
    ['messages_one_sending_idx'],
  ],
])('%s reads no more of the messages than it needs', async (_name, work, indexes) => {
  const plans = await Promise.all((await statementsOf(work)).map(planOf));
  const nodes = plans.flat();
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'messages')).toEqual([]);
  const used = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
  expect([...used]).toEqual(expect.arrayContaining([...indexes]));
});

const thousandIds = Array.from({ length: 1_000 }, (_, n) => `N${1_000_000 + n}`);

async function reportThousand(): Promise<void> {
  const { reported } = createOutcomeWriter(fixture().database);
  await Promise.all(thousandIds.map((networkMessageId) => reported({ ...anyMessage(), networkMessageId })));
}

test.each<[string, () => Promise<unknown>]>([
  ['of a thousand reports', reportThousand],
  ['of a phone', () => findOwnSent(fixture().database, tenant.accountId, thousandIds)],
  [
    'of a receiver that asks again',
    () => readSentMessage(fixture().database, fixture().accountKeys, tenant.deviceId, 'N1000001'),
  ],
])('network ids %s are looked up one by one, also before the first analysis', async (_, work) => {
  await fixture().query(
    `DELETE FROM pg_statistic WHERE starelid IN ('messages'::regclass, 'messages_network_idx'::regclass, 'devices'::regclass)`,
  );
  const [statement] = await statementsOf(work);
  const nodes = [...(await planOf(present(statement))), ...(await anyPlanOf(present(statement)))];
  await fixture().query('ANALYZE messages');
  const looks = nodes.filter((node) => node['Index Name'] === 'messages_network_idx');
  expect(looks.map((node) => node['Index Cond']?.includes('hashtextextended'))).toEqual([true, true]);
  // Read by account, each device would be looked up with each id.
  const ofDevices = nodes.filter((node) => node['Relation Name'] === 'devices');
  expect(ofDevices.every((node) => node['Index Name'] === 'devices_pkey')).toBe(true);
  // A second index would be read as a whole for each id.
  expect(nodes.map((node) => node['Node Type'])).not.toContain('BitmapAnd');
});

test.each<[string, () => Promise<unknown>]>([
  ['finding due lanes', () => readDueLanes(fixture().database, [tenant.deviceId], 0)],
  ['waking', () => wakeMessages(fixture().database)],
  ['expiring', () => expireMessages(fixture().database)],
])('%s, which runs all the time, never reads the index of the times of acceptance', async (_, work) => {
  const statements = await statementsOf(work);
  const nodes = (await Promise.all([...statements.map(planOf), ...statements.map(anyPlanOf)])).flat();
  expect(nodes.map((node) => node['Index Name'])).not.toContain('messages_created_at_idx');
});

test('a batch of old request keys reads its own pages and no others', async () => {
  const statements = await statementsOf(() => forgetRequestKeys(fixture().database, signal));
  const nodes = (await Promise.all([...statements.map(planOf), ...statements.map(anyPlanOf)])).flat();
  const scans = nodes.filter((node) => node['Relation Name'] === 'request_keys' && node['Node Type'] !== 'ModifyTable');
  expect(scans.length).toBeGreaterThan(0);
  expect(new Set(scans.map((node) => node['Node Type']))).toEqual(new Set(['Tid Range Scan']));
});

test('the log is read by the index of its order', async () => {
  const from = { generation: 0n, xid: 0n, seq: 0n };
  const [statement] = await statementsOf(() => readEvents(fixture().database, [tenant.accountId], from, 100));
  const nodes = await planOf(present(statement));
  const ofEvents = nodes.filter((node) => String(node['Relation Name']).startsWith('events'));
  expect(ofEvents.length).toBeGreaterThan(0);
  expect(new Set(ofEvents.map((node) => node['Node Type']))).not.toContain('Seq Scan');
  expect(nodes.filter((node) => /^events.*_pkey$/.test(String(node['Index Name'])))).not.toEqual([]);
});
