import type { BroadcastId } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf, rowOf } from '../../test/broadcast-fixture.js';
import { sealer, useDatabaseFixture } from '../../test/database-fixture.js';
import { findEverywhere } from '../../test/find-everywhere.js';
import { changeBroadcast } from '../broadcasts/change-broadcast.js';
import { cancelIdleBroadcasts, startBroadcast } from '../broadcasts/control-broadcast.js';
import { addRecipients, closeList } from '../broadcasts/create-broadcast.js';
import { continueAccountErasure } from './erase-account.js';
import { eraseNumber } from './erase-number.js';
import { eraseBroadcastTexts, forgetBroadcasts } from './forget-broadcasts.js';

const fixture = useDatabaseFixture();
const { ready, running, pause, many, drive, send, rows, broadcast, quota, statuses } = broadcastsOn(fixture);
const { signal } = new AbortController();

const ended = (id: BroadcastId, hours: number) =>
  fixture().query(
    `UPDATE broadcasts SET state = 'finished', ended_at = now() - make_interval(hours => $2) WHERE id = $1`,
    [id, hours],
  );
/** Nobody has changed them for more than so many days. */
const idleFor = (days: number, ids: readonly BroadcastId[]) =>
  fixture().query(
    `UPDATE broadcasts SET changed_at = now() - make_interval(days => $2, secs => 2) WHERE id = ANY ($1::text[])`,
    [ids, days],
  );
const sealedRows = (id: BroadcastId) =>
  fixture().query(
    `SELECT 1 FROM broadcast_recipients WHERE broadcast_id = $1 AND sealed IS NOT NULL
     UNION ALL SELECT 1 FROM broadcasts WHERE id = $1 AND sealed IS NOT NULL`,
    [id],
  );

test('texts and values go after their time, and rows with the messages', async () => {
  const tenant = await fixture().tenant();
  const list = Array.from({ length: 1_200 }, (_, i) => rowOf(numberOf(i), { nama: 'Budi' }));
  const [old, young] = [await ready(tenant, list), await ready(tenant, list.slice(0, 2))];
  await Promise.all([ended(old, 721), ended(young, 1)]);
  await eraseBroadcastTexts(fixture().database, 720, signal);
  expect(await sealedRows(old)).toEqual([]);
  expect(await sealedRows(young)).toHaveLength(3);
  expect(await rows(old)).toHaveLength(1_200);
  await ended(old, 24 * 401);
  await forgetBroadcasts(fixture().database, 400, signal);
  expect(await rows(old)).toEqual([]);
  expect(await broadcast(young)).toMatchObject({ recipients: 2 });
});

test('an account that keeps texts for a shorter time has them erased earlier', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  await fixture().query('UPDATE accounts SET text_retention_hours = 24 WHERE id = $1', [tenant.accountId]);
  const list = [rowOf(numberOf(1), { nama: 'Budi' })];
  const [short, young, long] = [await ready(tenant, list), await ready(tenant, list), await ready(other, list)];
  await Promise.all([ended(short, 25), ended(young, 23), ended(long, 25)]);
  await eraseBroadcastTexts(fixture().database, 720, signal);
  expect(await sealedRows(short)).toEqual([]);
  expect(await sealedRows(young)).toHaveLength(2);
  expect(await sealedRows(long)).toHaveLength(2);
});

test('one that nobody starts or resumes is cancelled, and then forgotten as any other', async () => {
  const tenant = await fixture().tenant();
  const { database } = fixture();
  const list = [rowOf(numberOf(1), { nama: 'Budi' })];
  const later = { sendAt: new Date(Date.now() + 86_400_000) };
  const left = await ready(tenant, list);
  const draft = await ready(tenant, list);
  const young = await ready(tenant, list);
  const [paused, waiting] = [await running(tenant, list), await running(tenant, list, later)];
  const scheduled = await running(tenant, list, later);
  await fixture().query(`UPDATE broadcasts SET state = 'draft' WHERE id = $1`, [draft]);
  await pause(tenant, paused);
  await pause(tenant, waiting);
  await idleFor(30, [left, draft, paused, waiting, scheduled]);
  await idleFor(29, [young]);
  expect(await cancelIdleBroadcasts(database, signal)).toBe(3);
  const states = async (ids: readonly BroadcastId[]) =>
    (await Promise.all(ids.map(broadcast))).map(({ state }) => state);
  expect(await states([left, draft, paused])).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(await states([young, waiting, scheduled])).toEqual(['ready', 'paused', 'scheduled']);
  expect(await quota(tenant.accountId)).toEqual({ taken: 0, reserved: 2 });
  for (const id of [left, draft, paused]) await drive(id);
  expect(await broadcast(left)).toMatchObject({ ended_at: expect.any(Date) });
  expect(await rows(left)).toMatchObject([{ state: 1, skip_reason: 'cancelled' }]);
});

test('each change gives a broadcast more time', async () => {
  const tenant = await fixture().tenant();
  const { database, accountKeys } = fixture();
  const id = await ready(tenant, []);
  const whose = { id, accountId: tenant.accountId };
  await fixture().query(`UPDATE broadcasts SET state = 'draft' WHERE id = $1`, [id]);
  for (const change of [
    () => addRecipients(database, accountKeys, whose, 0, many(1)),
    () => changeBroadcast(database, whose, { name: 'Other' }, undefined),
    () => closeList(database, id),
  ]) {
    await idleFor(30, [id]);
    await change();
    expect(await cancelIdleBroadcasts(database, signal)).toBe(0);
  }
  await idleFor(30, [id]);
  expect(await cancelIdleBroadcasts(database, signal)).toBe(1);
});

test('a person who is erased gets no message, and keeps a place in the counts', async () => {
  const tenant = await fixture().tenant();
  const number = '6289900001111';
  const id = await ready(tenant, [...many(3), rowOf(number, { nama: `Budi ${number}` })]);
  await startBroadcast(fixture().database, { id, accountId: tenant.accountId }, true, undefined);
  await eraseNumber(fixture().database, sealer, { number, accountId: null });
  expect(await findEverywhere(fixture(), number)).toEqual([]);
  await drive(id);
  expect(await send(tenant.holder)).toHaveLength(3);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'finished', recipients: 4 });
  expect((await rows(id))[3]).toMatchObject({ state: 1, skip_reason: 'erased' });
  expect(await quota(tenant.accountId)).toEqual({ taken: 3, reserved: 0 });
});

test('an erased account has no broadcasts left, and nothing of them goes out', async () => {
  const tenant = await fixture().tenant();
  const id = await ready(tenant, many(300));
  await startBroadcast(fixture().database, { id, accountId: tenant.accountId }, true, undefined);
  await drive(id);
  await fixture().query('UPDATE devices SET linked = false, desired_state = $2 WHERE id = $1', [
    tenant.deviceId,
    'unlinked',
  ]);
  await fixture().query(
    `UPDATE device_leases SET owner = NULL, expires_at = now() - interval '2 ms' WHERE device_id = $1`,
    [tenant.deviceId],
  );
  await fixture().query('UPDATE accounts SET erasure_begun_at = now() WHERE id = $1', [tenant.accountId]);
  await continueAccountErasure(fixture().database, tenant.accountId, { settlingMs: 0 });
  await continueAccountErasure(fixture().database, tenant.accountId, { settlingMs: 0 });
  expect(await rows(id)).toEqual([]);
  expect(await fixture().query('SELECT 1 FROM broadcasts WHERE id = $1', [id])).toEqual([]);
  expect((await statuses(id))['queued'] ?? 0).toBe(0);
});
