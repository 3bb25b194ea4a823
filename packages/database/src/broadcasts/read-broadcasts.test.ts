import type { BroadcastId } from '@kurir/contracts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { broadcastsOn, numberOf } from '../../test/broadcast-fixture.js';
import { sealer, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { eraseNumber } from '../retention/erase-number.js';
import { listRecipients, type RecipientOutcome } from './read-broadcasts.js';

const fixture = useDatabaseFixture();
const { ready, running, many, drive, send } = broadcastsOn(fixture);

type Plan = {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
};
type Asked = { readonly outcome: RecipientOutcome | null; readonly limit: number; readonly cursor: string | null };

const rowsRead = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);

/** The positions of a page, and how many rows its last statement reads. */
async function readPage(id: BroadcastId, filter: Asked) {
  const { lists } = fixture().database;
  const asked = vi.spyOn(lists, 'query');
  const { recipients, nextCursor } = await listRecipients(fixture().database, id, filter);
  // It is called with a text and its values.
  const [text, values] = asked.mock.lastCall as unknown as [string, unknown[]];
  asked.mockRestore();
  const { rows } = await lists.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    values,
  );
  const read = rows.reduce((sum, row) => sum + rowsRead(row['QUERY PLAN'][0].Plan), 0);
  return { positions: recipients.map(({ position }) => position), nextCursor, read };
}

const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

const count = 24_000;
const countAtOnce = 2_000;

/** Most of the messages were sent. The last three failed. */
async function longList(tenant: Tenant): Promise<BroadcastId> {
  const { accountId, deviceId } = tenant;
  const id = await ready(tenant, []);
  for (let after = 0; after < count; after += countAtOnce) {
    await fixture().query(
      `INSERT INTO broadcast_recipients (broadcast_id, position, recipient, state, message_id)
       SELECT $1, n, (6281000000000 + n)::text, 2, 'msg_' || $1 || n FROM generate_series($2::int + 1, $3::int) n`,
      [id, after, after + countAtOnce],
    );
    await fixture().query(
      `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, network_message_id, status, broadcast_id)
       SELECT 'msg_' || $1 || n, $4, $5, 'k', 'r', 2, (6281000000000 + n)::text, $1 || n,
         CASE WHEN n > $6::int - 3 THEN 'failed' ELSE 'sent' END, $1 FROM generate_series($2::int + 1, $3::int) n`,
      [id, after, after + countAtOnce, accountId, deviceId, count],
    );
  }
  await fixture().query('ANALYZE broadcast_recipients, messages');
  return id;
}

describe('a page of a long list reads little more than itself', () => {
  let id: BroadcastId;
  const limit = 500;
  beforeAll(async () => {
    id = await longList(await fixture().tenant());
  });

  test.each(['0', '23000'])('after row %s', async (cursor) => {
    const page = await readPage(id, { outcome: null, limit, cursor });
    expect(page).toMatchObject({
      positions: from(Number(cursor) + 1, limit),
      nextCursor: String(Number(cursor) + limit),
    });
    expect(page.read).toBeLessThan(limit * 6);
  });

  test('with a rare outcome', async () => {
    const failed = await readPage(id, { outcome: 'failed', limit: 2, cursor: null });
    expect(failed).toMatchObject({ positions: [23_998, 23_999], nextCursor: '23999' });
    expect(failed.read).toBeLessThan(100);
    expect(await readPage(id, { outcome: 'failed', limit: 2, cursor: '23999' })).toMatchObject({
      positions: [24_000],
      nextCursor: null,
    });
  });

  test('with a frequent outcome', async () => {
    const sent = await readPage(id, { outcome: 'sent', limit, cursor: '10000' });
    expect(sent).toMatchObject({ positions: from(10_001, limit), nextCursor: '10500' });
    expect(sent.read).toBeLessThan(limit * 8);
  });
});

test('a filter finds those who are in the list, also after an erasure', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, [...many(205), ...many(1)]);
  await drive(id);
  await send(tenant.holder);
  await fixture().query(`UPDATE messages SET status = 'failed' WHERE recipient = ANY ($1::text[])`, [
    [numberOf(3), numberOf(7)],
  ]);
  await eraseNumber(fixture().database, sealer, { number: numberOf(7), accountId: null });
  const list = (outcome: RecipientOutcome) =>
    listRecipients(fixture().database, id, { outcome, limit: 1_000, cursor: null });
  const positions = async (outcome: RecipientOutcome) =>
    (await list(outcome)).recipients.map(({ position }) => position);
  expect((await list('failed')).recipients).toMatchObject([
    { position: 4, recipient: numberOf(3), outcome: 'failed' },
    { position: 8, recipient: 'erased 8', outcome: 'failed' },
  ]);
  expect(await positions('sent')).toEqual(from(1, 200).filter((position) => position !== 4 && position !== 8));
  expect(await positions('pending')).toEqual(from(201, 5));
  expect(await positions('skipped')).toEqual([206]);
  expect(await positions('expired')).toEqual([]);
});
