/** A person who is erased while a step releases the message: nothing goes out, and no number stays. */
import { expect, test } from 'vitest';
import { broadcastsOn, numberOf } from '../../../test/broadcast-fixture.js';
import { useCrossing, type Work } from '../../../test/crossing-fixture.js';
import { sealer, useDatabaseFixture } from '../../../test/database-fixture.js';
import { findEverywhere } from '../../../test/find-everywhere.js';
import { eraseNumber } from '../../retention/erase-number.js';
import { eraseRecipients } from '../../retention/forget-broadcasts.js';
import { lockToDrive } from '../state/broadcast-state.js';
import { readSenders } from './broadcast-devices.js';
import { driveBroadcast } from './drive-broadcast.js';
import { releaseWindow } from './release-messages.js';

const fixture = useDatabaseFixture();
const cross = useCrossing(fixture);
const { many, drive, send, rows, broadcast, quota, statuses, running } = broadcastsOn(fixture);

test.each([true, false])('the erasure and the release meet (erasure first: %s)', async (isFirst) => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(3, isFirst ? 100 : 200));
  const number = numberOf(isFirst ? 100 : 200);
  const which = { number, accountId: tenant.accountId };
  const { accountKeys, database } = fixture();
  const erasing: Work<unknown> = (own) => eraseRecipients(own, [number], tenant.accountId);
  const stepping: Work<unknown> = (own) =>
    driveBroadcast(own, accountKeys, id).catch(() => 'the step is repeated later');
  const releasing: Work<unknown> = async ({ pool }) => {
    const client = await pool.connect();
    const locked = await lockToDrive(client, id);
    if (locked === null) throw new Error('the broadcast is gone');
    await releaseWindow(client, accountKeys, locked, await readSenders(client, locked));
  };
  const { waited } = await (isFirst
    ? cross(erasing, stepping)
    : cross(releasing, (own) => eraseNumber(own, sealer, which)));
  expect(waited).toBe(true);
  await eraseNumber(database, sealer, which);
  expect(await findEverywhere(fixture(), number)).toEqual([]);
  await drive(id);
  expect((await send(tenant.holder)).toSorted()).toEqual(many(2, isFirst ? 101 : 201).map((row) => row.recipient));
  await drive(id);
  expect(await broadcast(id)).toMatchObject({ state: 'finished', recipients: 3 });
  expect((await rows(id))[0]).toMatchObject(isFirst ? { state: 1, skip_reason: 'erased' } : { state: 2 });
  expect(await statuses(id)).toEqual(isFirst ? { sent: 2 } : { sent: 2, cancelled: 1 });
  expect(await quota(tenant.accountId)).toEqual({ taken: 2, reserved: 0 });
});

test('one erasure is enough if a release crosses it', async () => {
  const tenant = await fixture().tenant();
  const id = await running(tenant, many(1, 300));
  const number = numberOf(300);
  const { accountKeys } = fixture();
  // The round began long ago, so the ids of its messages are old.
  await fixture().query(`UPDATE broadcasts SET round_at = now() - interval '3 days' WHERE id = $1`, [id]);
  await cross(
    async ({ pool }) => {
      const client = await pool.connect();
      const locked = await lockToDrive(client, id);
      if (locked === null) throw new Error('the broadcast is gone');
      await releaseWindow(client, accountKeys, locked, await readSenders(client, locked));
    },
    (own) => eraseNumber(own, sealer, { number, accountId: null }),
  );
  expect(await findEverywhere(fixture(), number)).toEqual([]);
});
