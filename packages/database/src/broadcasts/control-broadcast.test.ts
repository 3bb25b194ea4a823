import { describe, expect, test } from 'vitest';
import { broadcastsOn } from '../../test/broadcast-fixture.js';
import { present, type Tenant, useDatabaseFixture } from '../../test/database-fixture.js';
import { driveBroadcast, readDriven } from './release/drive-broadcast.js';

const fixture = useDatabaseFixture();
const { ready, many, drive, send, rows, broadcast, quota, statuses, start, pause, resume, cancel, running } =
  broadcastsOn(fixture);

describe('a pause', () => {
  test('takes back what waits, and going on sends each once', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(250));
    await drive(id);
    expect(await pause(tenant, id)).toEqual({ kind: 'done' });
    expect(await pause(tenant, id)).toEqual({ kind: 'done' });
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 200 });
    expect(await resume(tenant, id)).toEqual({ kind: 'done' });
    expect(await resume(tenant, id)).toEqual({ kind: 'wrong-state', state: 'running' });
    const recipients: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      await drive(id);
      recipients.push(...(await send(tenant.holder)));
    }
    expect(recipients.toSorted()).toEqual(many(250).map(({ recipient }) => recipient));
    await drive(id);
    expect(await broadcast(id)).toMatchObject({ state: 'finished' });
  });

  test('also keeps a message that comes back from a try', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(1));
    await drive(id);
    const claim = await fixture().claim(tenant.holder);
    if (claim.kind !== 'claimed') throw new Error('nothing was claimed');
    await pause(tenant, id);
    await fixture().change(claim.message.id, `status = 'queued', attempts = 1`);
    expect(await readDriven(fixture().database)).toContain(id);
    await drive(id);
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    // Nothing is left to do until somebody resumes it.
    expect(await readDriven(fixture().database)).not.toContain(id);
  });

  test('of a message that must be retried lets others to the person go', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(1));
    await drive(id);
    const { recipient } = present((await rows(id))[0]);
    const soon = `now() + interval '10 seconds'`;
    await fixture().query(`UPDATE messages SET held_until = ${soon}, waits_until = ${soon} WHERE broadcast_id = $1`, [
      id,
    ]);
    const [bill] = await fixture().accept(tenant, [
      { recipient, text: 'bill', priority: 'bulk', category: 'transactional' },
    ]);
    expect(await fixture().claim(tenant.holder)).toEqual({ kind: 'nothing' });
    await pause(tenant, id);
    expect(await fixture().claim(tenant.holder)).toMatchObject({ message: { id: present(bill).messageId } });
  });

  test('of a scheduled broadcast goes back to its time', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(1), { sendAt: new Date(Date.now() + 3_600_000) });
    expect((await broadcast(id)).state).toBe('scheduled');
    await pause(tenant, id);
    await resume(tenant, id);
    await drive(id);
    expect((await broadcast(id)).state).toBe('scheduled');
    await fixture().query(`UPDATE broadcasts SET send_at = now() - interval '2 ms' WHERE id = $1`, [id]);
    await drive(id);
    expect(await statuses(id)).toEqual({ queued: 1 });
  });
});

test('cancelling ends what waits and what was not released, and gives the quota back', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(300));
  await drive(id);
  const claim = await fixture().claim(tenant.holder);
  if (claim.kind !== 'claimed') throw new Error('nothing was claimed');
  expect(await cancel(tenant, id)).toEqual({ kind: 'done' });
  expect(await cancel(tenant, id)).toEqual({ kind: 'done' });
  expect(
    await fixture().query(
      `SELECT 1 FROM messages WHERE broadcast_id = $1 AND waits_until IS NULL AND status = 'queued'`,
      [id],
    ),
  ).toEqual([]);
  await drive(id);
  expect(await statuses(id)).toEqual({ sending: 1, cancelled: 199 });
  expect((await broadcast(id)).ended_at).toBeNull();
  await fixture().change(claim.message.id, `status = 'sent'`);
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'cancelled', ended_at: expect.any(Date) });
  expect((await rows(id)).filter(({ skip_reason }) => skip_reason === 'cancelled')).toHaveLength(100);
  expect(await quota(tenant.accountId)).toEqual({ taken: 1, reserved: 0 });
});

test('those whose message failed get another one, and only the last one counts', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(3));
  await drive(id);
  const first = await fixture().claim(tenant.holder);
  if (first.kind !== 'claimed') throw new Error('nothing was claimed');
  await fixture().change(first.message.id, `status = 'failed', reason = 'rejected_by_network'`);
  await send(tenant.holder);
  await drive(id);
  expect((await broadcast(id)).state).toBe('finished');
  expect(await resume(tenant, id, 'unknown')).toEqual({ kind: 'nothing-to-send', scope: 'unknown' });
  expect(await resume(tenant, id, 'failed')).toEqual({ kind: 'done' });
  await drive(id);
  expect(await statuses(id)).toEqual({ sent: 2, queued: 1 });
  const again = (await rows(id)).find(({ recipient }) => recipient === first.message.recipient);
  expect(again).toMatchObject({ state: 2, round: 2 });
  expect(again?.message_id).not.toBe(first.message.id);
});

test('cancelling ends a message with an unanswered try as unknown, and the broadcast ends', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(2));
  await drive(id);
  const claim = await fixture().claim(tenant.holder);
  if (claim.kind !== 'claimed') throw new Error('nothing was claimed');
  await fixture().change(claim.message.id, `status = 'queued', attempts = 1, unanswered = 1`);
  await cancel(tenant, id);
  await drive(id);
  expect(await statuses(id)).toEqual({ unknown: 1, cancelled: 1 });
  expect(await broadcast(id)).toMatchObject({ state: 'cancelled', ended_at: expect.any(Date) });
  expect(await quota(tenant.accountId)).toEqual({ taken: 1, reserved: 0 });
});

const step = (id: Parameters<typeof drive>[0]) => driveBroadcast(fixture().database, fixture().accountKeys, id);

/** Releases and ends everything as `sent`. Returns the recipients. */
async function releaseAll(tenant: Tenant, id: Parameters<typeof drive>[0]): Promise<string[]> {
  const recipients: string[] = [];
  for (let turns = 0; (await broadcast(id)).state === 'running'; turns += 1) {
    expect(turns).toBeLessThan(100);
    await drive(id);
    const sent = await fixture().query<{ recipient: string }>(
      `UPDATE messages SET status = 'sent', attempts = 1 WHERE broadcast_id = $1 AND device_id = $2 AND status = 'queued' RETURNING recipient`,
      [id, tenant.deviceId],
    );
    recipients.push(...sent.map(({ recipient }) => recipient));
  }
  return recipients.toSorted();
}

/** All messages of the broadcast fail, and it finishes. */
async function failAll(id: Parameters<typeof drive>[0]): Promise<void> {
  await fixture().query(
    `UPDATE messages SET status = 'failed', reason = 'rejected_by_network', attempts = 1 WHERE broadcast_id = $1`,
    [id],
  );
  await drive(id);
}

describe('sending again', () => {
  test('is refused once the text is erased, and keeps nothing set aside', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(2));
    await drive(id);
    await failAll(id);
    await fixture().query('UPDATE broadcasts SET key_number = NULL, sealed = NULL WHERE id = $1', [id]);
    for (const scope of ['failed', 'unknown'] as const)
      expect(await resume(tenant, id, scope)).toEqual({ kind: 'text-erased' });
    expect(await broadcast(id)).toMatchObject({ state: 'finished', reserved: 0 });
    expect(await statuses(id)).toEqual({ failed: 2 });
  });

  test('moves a part in each step until nobody is left, and sends each once', async () => {
    const tenant = await fixture().tenant({ quota: 20_000 });
    const id = await running(tenant, many(5_000));
    await fixture().query('UPDATE devices SET pace_per_minute = NULL WHERE id = $1', [tenant.deviceId]);
    const first = await releaseAll(tenant, id);
    await failAll(id);
    expect((await broadcast(id)).state).toBe('finished');
    expect(await resume(tenant, id, 'failed')).toEqual({ kind: 'done' });
    // The request itself moves nobody.
    expect(await statuses(id)).toEqual({ failed: 5_000 });
    expect(await quota(tenant.accountId)).toMatchObject({ reserved: 5_000 });
    const sizes: number[] = [];
    for (let before = 5_000; before > 0; before = (await statuses(id))['failed'] ?? 0) {
      sizes.push(before);
      expect(sizes.length).toBeLessThan(10);
      await step(id);
    }
    expect(sizes.length).toBeGreaterThan(1);
    expect(await releaseAll(tenant, id)).toEqual(first);
    expect(await quota(tenant.accountId)).toMatchObject({ reserved: 0 });
    expect((await rows(id)).every(({ round }) => round === 2)).toBe(true);
  });

  test('leaves alone those whose new message fails again, and those who failed after the call', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(3));
    await drive(id);
    await failAll(id);
    await resume(tenant, id, 'failed');
    await drive(id);
    await failAll(id);
    expect(await statuses(id)).toEqual({ failed: 3 });
    expect(await broadcast(id)).toMatchObject({ state: 'finished', reserved: 0 });
    expect((await rows(id)).map(({ round }) => round)).toEqual([2, 2, 2]);
  });

  test('that was cancelled half way leaves those who were not moved as they were', async () => {
    const tenant = await fixture().tenant();
    const id = await running(tenant, many(3));
    await drive(id);
    await failAll(id);
    await resume(tenant, id, 'failed');
    await cancel(tenant, id);
    await drive(id);
    expect(await statuses(id)).toEqual({ failed: 3 });
    expect(await broadcast(id)).toMatchObject({ state: 'cancelled', reserved: 0, ended_at: expect.any(Date) });
    expect((await quota(tenant.accountId)).reserved).toBe(0);
  });
});

test('a call that does not fit says so, and another account finds nothing', async () => {
  const [tenant, other] = [await fixture().tenant(), await fixture().tenant()];
  const id = await ready(tenant, many(1));
  for (const call of [start, pause, cancel, resume]) expect(await call(other, id)).toEqual({ kind: 'not-found' });
  expect(await pause(tenant, id)).toEqual({ kind: 'wrong-state', state: 'ready' });
  expect(await resume(tenant, id)).toEqual({ kind: 'wrong-state', state: 'ready' });
  expect(await start(tenant, await ready(tenant, []))).toEqual({ kind: 'nothing-to-send', scope: 'pending' });
  expect(await start(tenant, id)).toEqual({ kind: 'done' });
  expect(await start(tenant, id)).toEqual({ kind: 'wrong-state', state: 'running' });
  present((await rows(id))[0]);
});
