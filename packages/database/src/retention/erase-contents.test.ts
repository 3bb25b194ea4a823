import { type MessageId, newId } from '@kurir/contracts';
import { describe, expect, test } from 'vitest';
import { present, type Tenant, type TestInput, useDatabaseFixture } from '../../test/database-fixture.js';
import { eraseCodes, eraseContents, eraseOldBodies } from './erase-contents.js';
import { forgetMessages } from './forget-messages.js';

const fixture = useDatabaseFixture();
const { signal } = new AbortController();
const hourMs = 3_600_000;
const keptHours = 720;

type Happened = { readonly status: string; readonly hoursAgo: number };

/** A message that was accepted this many hours ago, with later events. */
async function past(
  tenant: Tenant,
  acceptedHoursAgo: number,
  input: TestInput,
  ...all: Happened[]
): Promise<MessageId> {
  const [message] = await fixture().accept(tenant, [input]);
  const id = newId('msg', Date.now() - acceptedHoursAgo * hourMs);
  const last = all.at(-1)?.status ?? 'queued';
  await fixture().query(
    `UPDATE messages SET id = $2, status = $3, created_at = created_at - make_interval(hours => $4),
       expires_at = expires_at - make_interval(hours => $4) WHERE id = $1`,
    [present(message).messageId, id, last, acceptedHoursAgo],
  );
  await fixture().query('UPDATE message_contents SET message_id = $2 WHERE message_id = $1', [
    present(message).messageId,
    id,
  ]);
  for (const { status, hoursAgo } of all)
    await fixture().query(
      'INSERT INTO message_events (message_id, status, at) VALUES ($1, $2, now() - make_interval(secs => $3::float8 * 3600))',
      [id, status, hoursAgo],
    );
  return id;
}

const at = (status: string, hoursAgo: number): Happened => ({ status, hoursAgo });

const isKept = async (id: MessageId) =>
  (await fixture().query('SELECT 1 FROM message_contents WHERE message_id = $1', [id])).length === 1;

const hasBody = async (id: MessageId) =>
  (await fixture().query(`SELECT 1 FROM messages WHERE id = $1 AND body <> ''`, [id])).length === 1;

const erase = async () => {
  await eraseCodes(fixture().database, signal);
  await eraseContents(fixture().database, keptHours, signal);
};

const code: TestInput = { priority: 'otp', ttlSeconds: 300 };
const longCode: TestInput = { priority: 'otp', ttlSeconds: 86_400 };
const day = 24;

const kinds: readonly [string, number, TestInput, Happened[], 'kept' | 'erased'][] = [
  ['a code that was delivered an hour ago', 2, longCode, [at('sent', 2), at('delivered', 1.1)], 'erased'],
  [
    'a code that was read just now, delivered an hour ago',
    2,
    longCode,
    [at('delivered', 1.1), at('read', 0)],
    'erased',
  ],
  ['a code that was delivered just now', 2, longCode, [at('delivered', 0.5)], 'kept'],
  ['a code that was never delivered, an hour after its time', 2, code, [at('sent', 2)], 'erased'],
  ['a code that nobody tried, an hour after its time', 2, code, [at('expired', 1)], 'erased'],
  ['a code within its time', 3, longCode, [at('sent', 3)], 'kept'],
  ['a text that was delivered long ago', 31 * day, {}, [at('delivered', 31 * day)], 'erased'],
  ['a text that was delivered lately', 31 * day, {}, [at('delivered', 29 * day)], 'kept'],
  ['a text that still waits', 40 * day, {}, [], 'kept'],
  ['a text that failed long ago', 31 * day, {}, [at('failed', 31 * day)], 'erased'],
  ['a text that is only sent, after 14 days', 15 * day, {}, [at('sent', 15 * day)], 'erased'],
  ['a text that is only sent, before', 15 * day, {}, [at('sent', 13 * day)], 'kept'],
];

describe('the content of a message', () => {
  test.each(kinds)('%s', async (_what, hoursAgo, input, happened, end) => {
    const id = await past(await fixture().tenant(), hoursAgo, input, ...happened);
    await erase();
    expect((await isKept(id)) ? 'kept' : 'erased').toBe(end);
    expect(await fixture().query('SELECT 1 FROM messages WHERE id = $1', [id])).toHaveLength(1);
  });

  test.each(kinds)('of the earlier version: %s', async (_what, hoursAgo, input, happened, end) => {
    const tenant = await fixture().tenant();
    await fixture().query(
      `INSERT INTO upgrade_windows (name, ends_at) VALUES ('message_contents', now() - interval '25 hours')`,
    );
    const id = await past(tenant, hoursAgo, input, ...happened);
    await fixture().change(id, `body = 'text'`);
    const { hasMore } = await eraseOldBodies(fixture().database, keptHours, signal);
    expect((await hasBody(id)) ? 'kept' : 'erased').toBe(end);
    if (end === 'kept') expect(hasMore).toBe(true);
    await fixture().change(id, `body = ''`);
    expect(await eraseOldBodies(fixture().database, keptHours, signal)).toEqual({ erased: 0, hasMore: false });
    await fixture().query('DELETE FROM upgrade_windows');
  });
});

test('an account may keep its texts for less time; its codes and the texts of others stay', async () => {
  const [short, usual] = [await fixture().tenant(), await fixture().tenant()];
  await fixture().query('UPDATE accounts SET text_retention_hours = 24 WHERE id = $1', [short.accountId]);
  const delivered = at('delivered', 25);
  const [mine, fresh, late, others] = [
    await past(short, 26, {}, delivered),
    await past(short, 26, {}, at('delivered', 23)),
    await past(short, 26, longCode, at('sent', 26)),
    await past(usual, 26, {}, delivered),
  ];
  await eraseContents(fixture().database, keptHours, signal);
  expect(await Promise.all([mine, fresh, late, others].map(isKept))).toEqual([false, true, true, true]);
});

test('a pass goes past contents that must stay, and several workers erase each content once', async () => {
  const tenant = await fixture().tenant({ quota: null });
  const inputs = Array.from({ length: 1_000 }, () => ({}));
  await fixture().accept(tenant, inputs);
  await fixture().query(
    `WITH moved AS (
       UPDATE messages SET status = 'delivered', created_at = now() - interval '31 days' WHERE account_id = $1 AND seq % 2 = 0
       RETURNING id)
     INSERT INTO message_events (message_id, status, at) SELECT id, 'delivered', now() - interval '31 days' FROM moved`,
    [tenant.accountId],
  );
  // Moves the times of acceptance of all of them.
  const then = newId('msg', Date.now() - 31 * day * hourMs).slice(0, 14);
  await fixture().query(
    `UPDATE message_contents c SET message_id = $2 || substr(c.message_id, 15) FROM messages m
     WHERE m.account_id = $1 AND c.message_id = m.id COLLATE "C"`,
    [tenant.accountId, then],
  );
  await fixture().query(`UPDATE messages SET id = $2 || substr(id, 15) WHERE account_id = $1`, [
    tenant.accountId,
    then,
  ]);
  const counts = await Promise.all([1, 2, 3].map(() => eraseContents(fixture().database, keptHours, signal)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(500);
});

test('a message that is forgotten takes its content with it', async () => {
  const id = await past(await fixture().tenant(), 10 * day, {}, at('delivered', 9 * day));
  await forgetMessages(fixture().database, 8, signal);
  expect(await isKept(id)).toBe(false);
});
