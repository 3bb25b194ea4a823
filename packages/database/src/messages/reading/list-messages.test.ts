/** A search finds parts, and reads a bounded number of messages by an index. */
import type { MessageId } from '@kurir/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { broadcastsOn } from '../../../test/broadcast-fixture.js';
import { copies, present, type Tenant, type TestInput, useDatabaseFixture } from '../../../test/database-fixture.js';
import { explained, rowsRead } from '../../../test/explained.js';
import type { MessageFilter } from '../read-messages.js';
import { listMessages } from './list-messages.js';
import { readMessageTimes } from './read-message-times.js';
import { searchedAtOnce, searchParts } from './search.js';

const fixture = useDatabaseFixture();

const everything: MessageFilter = {
  status: null,
  deviceId: null,
  recipient: null,
  clientRef: null,
  limit: 100,
  cursor: null,
};

const list = (tenant: Tenant, filter: Partial<MessageFilter>) =>
  listMessages(fixture().database, tenant.accountId, { ...everything, ...filter });

async function accept(tenant: Tenant, ...inputs: TestInput[]): Promise<MessageId[]> {
  return (await fixture().accept(tenant, inputs)).map(({ messageId }) => messageId);
}

const found = async (tenant: Tenant, filter: Partial<MessageFilter>) =>
  (await list(tenant, filter)).messages.map(({ id }) => id);

test.each([
  ['7363', { digits: '7363', part: '7363' }],
  ['0812 3456', { digits: '8123456', part: '0812 3456' }],
  ['+62 (812)-345', { digits: '62812345', part: '+62 (812)-345' }],
  ['0812', { digits: '812', part: '0812' }],
  ['736', { digits: null, part: '736' }],
  ['Camp-Nov', { digits: null, part: 'camp-nov' }],
  ['ab', { digits: null, part: null }],
])('a search for %j looks for %j', (text, parts) => expect(searchParts(text)).toEqual(parts));

describe('a search', () => {
  let tenant: Tenant;
  let [a, b, c]: MessageId[] = [];
  beforeAll(async () => {
    tenant = await fixture().tenant();
    [a, b, c] = await accept(
      tenant,
      { recipient: '6281234567363', clientRef: 'Camp-Nov-1' },
      { recipient: '6281999917363', clientRef: 'x' },
      { recipient: '6281200000000' },
    );
    const { ready, many } = broadcastsOn(fixture);
    const broadcastId = await ready(tenant, many(1));
    await fixture().query(`UPDATE broadcasts SET name = 'Promo Akhir Tahun' WHERE id = $1`, [broadcastId]);
    await fixture().query('UPDATE messages SET broadcast_id = $2 WHERE id = $1', [c, broadcastId]);
  });

  test.each<[string, () => (MessageId | undefined)[]]>([
    ['7363', () => [b, a]],
    ['0812', () => [c, a]],
    ['camp-nov', () => [a]],
    ['x', () => [b]],
    ['akhir', () => [c]],
    ['_', () => []],
    ['%', () => []],
  ])('for %j finds its messages, newest first', async (search, ids) => {
    expect(await found(tenant, { search })).toEqual(ids());
  });

  test('for an id finds it once, and never in another account', async () => {
    expect(await found(tenant, { search: present(a) })).toEqual([a]);
    expect(await found(await fixture().tenant(), { search: present(a) })).toEqual([]);
    expect(await found(await fixture().tenant(), { search: '7363' })).toEqual([]);
  });

  test('keeps the other filters, those by key and reason too', async () => {
    await fixture().query(`UPDATE messages SET reason = 'no_answer', status = 'unknown' WHERE id = $1`, [b]);
    const [key] = await fixture().query<{ key_id: string }>('SELECT key_id FROM messages WHERE id = $1', [a]);
    expect(await found(tenant, { search: '7363', reason: 'no_answer' })).toEqual([b]);
    expect(await found(tenant, { reason: 'no_answer' })).toEqual([b]);
    expect(await found(tenant, { apiKey: present(key).key_id })).toEqual([c, b, a]);
    expect(await found(tenant, { apiKey: 'kk_other' })).toEqual([]);
    expect(await found(tenant, { search: present(a), reason: 'no_answer' })).toEqual([]);
  });

  test('goes on from its cursor without gap or repeat, with whole matches on the first page', async () => {
    const other = await fixture().tenant();
    const ids = await accept(other, ...copies(11, { recipient: '6281234567363' }), { clientRef: '7363' });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(other, { search: '7363', limit: 4, cursor });
      expect(page.messages.length).toBeLessThanOrEqual(4);
      seen.push(...page.messages.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toReversed());
  });
});

test('the times of a message are the first of each status', async () => {
  const tenant = await fixture().tenant();
  const [id, other] = await accept(tenant, {}, {});
  await fixture().query(
    `INSERT INTO message_events_before_log (message_id, status, at) VALUES
       ($1, 'sent', now()), ($1, 'sent', now() + interval '1 s'), ($1, 'delivered', now() + interval '2 s')`,
    [id],
  );
  const times = await readMessageTimes(fixture().database, [present(id), present(other)]);
  expect([...times.keys()]).toEqual([id]);
  const { sentAt, deliveredAt, readAt } = present(times.get(present(id)));
  expect(readAt).toBeNull();
  expect(Number(deliveredAt) - Number(sentAt)).toBe(2_000);
});

/** The scans of `messages` in all statements of the work. */
const scansOf = async (work: () => Promise<unknown>) =>
  (await explained(fixture().database, 'messages', work)).flat().filter((node) => node['Relation Name'] === 'messages');

describe('with 120,000 messages', () => {
  let tenant: Tenant;
  let oldest: MessageId | undefined;
  beforeAll(async () => {
    tenant = await fixture().tenant({ quota: null });
    [oldest] = await accept(tenant, { clientRef: 'oldest-one', recipient: '6289999997363' });
    await fixture().query(
      `INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id,
                             attempts, status, created_at, event_count)
       SELECT 'msg_' || n, account_id, device_id, key_id, request_id, priority, '6281' || n, body, 'N' || n, 1, 'read', now(), 1
       FROM messages, generate_series(1000000, 1119999) n WHERE id = $1`,
      [oldest],
    );
    await fixture().query('ANALYZE messages');
  });

  test.each<[string, Partial<MessageFilter>]>([
    ['a part of a number', { search: '7363' }],
    ['a part that nothing has', { search: 'nothing-has-this' }],
    ['a key that sent nothing', { apiKey: 'kk_none' }],
    ['a rare reason', { reason: 'no_answer' }],
    ['a part within a broadcast', { search: '7363', broadcastId: 'brc_none' }],
  ])('a page for %s reads a bounded number of rows by an index', async (_what, filter) => {
    const scans = await scansOf(() => list(tenant, filter));
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(rowsRead(scans)).toBeLessThanOrEqual(2 * searchedAtOnce + 100);
  });

  test('a page without a match goes on, and the pages together look through all messages', async () => {
    const seen: string[] = [];
    let [pages, cursor]: [number, string | null] = [0, null];
    do {
      const page = await list(tenant, { search: '9999973', cursor });
      seen.push(...page.messages.map(({ id }) => id));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== null);
    expect(seen).toEqual([oldest]);
    expect(pages).toBe(Math.ceil(120_001 / searchedAtOnce));
  });

  test('a whole client_ref is found on the first page, whatever its age', async () => {
    expect(await found(tenant, { search: 'oldest-one' })).toEqual([oldest]);
  });
});
