/** A report: its counts, the first moments of its days and hours, and the rows that it reads. */
import { newId } from '@kurir/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { explained, rowsRead } from '../../test/explained.js';
import { readReport } from './read-report.js';
import { findSpanStart, type ReportSpan } from './report-span.js';

const fixture = useDatabaseFixture();
const hourMs = 3_600_000;

const hours = (count: number, timeZone = 'UTC'): ReportSpan => ({ unit: 'hour', count, timeZone });
const days = (count: number, timeZone = 'UTC'): ReportSpan => ({ unit: 'day', count, timeZone });
const report = (tenant: Tenant, span: ReportSpan) => readReport(fixture().database, tenant.accountId, span);

type Given = {
  agoMs?: number;
  /** In place of `agoMs`. */
  at?: Date;
  status?: string;
  reason?: string;
  count?: number;
  priority?: number;
  sentAfterMs?: number;
};

/** Stores messages as if they had been accepted some time ago. */
async function messages(tenant: Tenant, given: Given): Promise<string[]> {
  const { agoMs = 0, status = 'sent', reason = null, count = 1, priority = 1, sentAfterMs } = given;
  const at = given.at ?? new Date(Date.now() - agoMs);
  const ids = Array.from({ length: count }, () => newId('msg', at.getTime()));
  await fixture().query(
    `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, network_message_id, status, reason, created_at, event_count)
     SELECT id, $2, $3, $4, 'req_1', $5, '62811', id, $6, $7, $8, 1 FROM unnest($1::text[]) AS t (id)`,
    [ids, tenant.accountId, tenant.deviceId, tenant.keyId, priority, status, reason, at],
  );
  if (sentAfterMs !== undefined)
    await fixture().query(
      `INSERT INTO message_events_before_log (message_id, status, at) SELECT id, 'sent', $2::timestamptz FROM unnest($1::text[]) AS t (id)`,
      [ids, new Date(at.getTime() + sentAfterMs)],
    );
  return ids;
}

test('an account without messages has empty parts, and nothing else', async () => {
  const empty = await report(await fixture().tenant(), days(30));
  expect(empty.parts).toHaveLength(30);
  expect(empty).toMatchObject({
    all: { accepted: 0, delivered: 0, failed: 0 },
    otp: { count: 0, p50Ms: null },
    countedSince: null,
    failedFor: [],
    devices: [],
    senders: [],
  });
});

describe('a report', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await fixture().tenant();
    await messages(tenant, { agoMs: 40 * 24 * hourMs, count: 5, status: 'read' });
    await messages(tenant, { agoMs: 3 * 24 * hourMs, count: 4, status: 'failed', reason: 'rejected_by_network' });
    await messages(tenant, { count: 2, status: 'expired' });
    await messages(tenant, { count: 6, status: 'failed', reason: 'recipient_not_on_network' });
    await messages(tenant, { count: 3, status: 'delivered' });
    await messages(tenant, { status: 'read' });
    await messages(tenant, { status: 'unknown', reason: 'no_answer' });
    for (const sentAfterMs of [100, 200, 300]) await messages(tenant, { priority: 0, sentAfterMs });
  });

  test('counts each outcome once, in its own day', async () => {
    const { parts, all } = await report(tenant, days(7));
    expect(all).toEqual({ accepted: 20, delivered: 4, failed: 12 });
    expect(parts.map(({ accepted }) => accepted)).toEqual([0, 0, 0, 4, 0, 0, 16]);
    expect(parts.at(-1)).toMatchObject({ delivered: 4, failed: 8 });
  });

  test('names the reasons of failures over time, the most frequent first', async () => {
    const { failedFor } = await report(tenant, days(7));
    expect(failedFor).toEqual([
      { reason: 'recipient_not_on_network', counts: [0, 0, 0, 0, 0, 0, 6] },
      { reason: 'rejected_by_network', counts: [0, 0, 0, 4, 0, 0, 0] },
      { reason: 'expired', counts: [0, 0, 0, 0, 0, 0, 2] },
    ]);
  });

  test('counts by device and by key, the busiest first; people of the dashboard are one sender', async () => {
    const other = { ...tenant, ...(await fixture().device(tenant.accountId)), keyId: newId('usr') };
    await messages(other as unknown as Tenant, { count: 2 });
    const { devices, senders } = await report(tenant, days(1));
    expect(devices.map(({ deviceId, accepted }) => [deviceId, accepted])).toEqual([
      [tenant.deviceId, 16],
      [other.deviceId, 2],
    ]);
    expect(senders.map(({ apiKey, accepted }) => [apiKey, accepted])).toEqual([
      [tenant.keyId, 16],
      [null, 2],
    ]);
    await fixture().query('DELETE FROM messages WHERE device_id = $1', [other.deviceId]);
  });

  test('measures one-time codes from acceptance to the network', async () => {
    const { otp, parts } = await report(tenant, hours(2));
    expect(otp).toMatchObject({ count: 3, p50Ms: 200, p99Ms: 298 });
    expect(parts.reduce((sum, part) => sum + part.otp.count, 0)).toBe(3);
  });

  test('never counts the messages of another account', async () => {
    expect((await report(await fixture().tenant(), days(7))).all.accepted).toBe(0);
  });
});

test.each([
  ['UTC', /T00:00:00/],
  ['Asia/Jakarta', /T17:00:00/],
  ['Asia/Kathmandu', /T18:15:00/],
])('a day in %s begins at its midnight', async (timeZone, midnight) => {
  const { starts } = await findSpanStart(fixture().database, newId('acc'), days(30, timeZone));
  for (const start of starts) expect(start.toISOString()).toMatch(midnight);
  expect(starts.at(-1)?.getTime()).toBeLessThanOrEqual(Date.now());
});

test('days stay days where the clocks change', async () => {
  const { starts } = await findSpanStart(fixture().database, newId('acc'), days(30, 'Europe/Berlin'));
  const local = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    day: '2-digit',
    month: '2-digit',
  });
  expect(new Set(starts.map((start) => local.format(start))).size).toBe(30);
  for (const start of starts) expect(local.format(start)).toMatch(/00$/);
});

test('a message in the last moment of a day counts for that day', async () => {
  const tenant = await fixture().tenant();
  const { starts } = await findSpanStart(fixture().database, tenant.accountId, days(2, 'Asia/Jakarta'));
  const midnight = present(starts[1]).getTime();
  await messages(tenant, { at: new Date(midnight - 1) });
  await messages(tenant, { at: new Date(midnight), count: 2 });
  const { parts } = await report(tenant, days(2, 'Asia/Jakarta'));
  expect(parts.map(({ accepted }) => accepted)).toEqual([1, 2]);
});

describe('with 60,000 old messages', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    await messages(await fixture().tenant(), { count: 20_000 });
    tenant = await fixture().tenant();
    for (const ageDays of [300, 200, 100])
      await messages(tenant, { agoMs: ageDays * 24 * hourMs, count: 20_000, status: 'read' });
    await messages(tenant, { agoMs: 2 * hourMs, count: 30, priority: 0, status: 'read' });
    await fixture().query('ANALYZE messages');
  });

  test('a report reads the messages of its span by the index of account and number', async () => {
    const work = async () => expect((await report(tenant, days(30))).all.accepted).toBe(30);
    const plans = await explained(fixture().database, 'FROM messages', work);
    expect(plans).toHaveLength(3);
    for (const nodes of plans) {
      const scans = nodes.filter((node) => node['Relation Name'] === 'messages');
      expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
      const indexes = nodes.flatMap((node) => node['Index Name'] ?? []).filter((name) => name.startsWith('messages_'));
      expect(new Set(indexes)).toEqual(new Set(['messages_account_id_seq_idx']));
      expect(rowsRead(scans)).toBeLessThanOrEqual(60);
    }
  });
});
