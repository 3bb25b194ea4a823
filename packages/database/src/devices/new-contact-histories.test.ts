/**
 * Random histories of thirty days, through the statements of the product and through a model in memory. The test moves
 * the clock. Both must send the same messages in the same order, and show the same waits and allowances.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { useDatabaseFixture } from '../../test/database-fixture.js';
import { HistoryMaker, momentsOf, pick, seeded } from '../../test/new-contact-histories.js';
import { ModelDevice } from '../../test/new-contact-model.js';
import { Histories, type Pair, pauseMs } from '../../test/replay-histories.js';
import { openStopped } from '../../test/stopped-clock.js';
import { createSealer } from '../postgres/sealer.js';
import { writeLinked } from '../sessions/write-linked.js';
import { changeDevice } from './device-settings.js';

const fixture = useDatabaseFixture({ poolSize: 4 });
const sealer = createSealer(createSecretKey(randomBytes(32)));
const devices = 200;
const start = new Date('2026-11-24T08:00:00.000Z');

test('two hundred histories go through Postgres as through the model', async () => {
  const tenant = await fixture().tenant({ quota: null });
  const clock = await openStopped(fixture().database, fixture().url);
  try {
    await clock.set(start);
    const random = seeded(24);
    const pairs = await Promise.all(
      Array.from({ length: devices }, async (_, n): Promise<Pair> => {
        const holder = await fixture().device(tenant.accountId);
        const change = { newContactsPerDay: 'automatic' } as const;
        await changeDevice(fixture().database, sealer, tenant.accountId, holder.deviceId, change);
        return { holder, model: new ModelDevice(start, () => pauseMs), maker: new HistoryMaker(seeded(n + 1)) };
      }),
    );
    // The test's clock may be before or after the real time, so leases must be valid in both.
    await fixture().query(`UPDATE device_leases SET expires_at = 'infinity'`);
    for (const { holder } of pairs) expect(await writeLinked(clock.database, holder, '628111')).toBe(true);
    await fixture().query(`UPDATE device_health SET clean_since = $1`, [start]);
    await fixture().query(`UPDATE devices SET state = 'connected'`);
    const histories = new Histories(tenant, fixture().database, clock, pairs);
    const moments = momentsOf(random, start, 40);
    for (const [n, moment] of moments.entries()) {
      await histories.happen(moment);
      // Within the pause, at its end, and long after.
      for (const laterMs of pick(random, [[0], [0, pauseMs - 1, pauseMs], [0, pauseMs, 3 * pauseMs, 11 * pauseMs]])) {
        const at = new Date(Math.min(moment.getTime() + laterMs, (moments[n + 1] ?? moment).getTime() + laterMs));
        await histories.drain(at);
        await histories.compare(
          at,
          pairs.filter((_, place) => place % 50 === n),
        );
      }
    }
    const { totals } = histories;
    console.info('new contacts through Postgres:', JSON.stringify({ histories: devices, ...totals }));
    expect(Math.min(totals.sent, totals.held, totals.reports)).toBeGreaterThan(900);
  } finally {
    await clock.database.close();
  }
}, 300_000);
