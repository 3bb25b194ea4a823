/**
 * Histories of thirty days through the statements of the product, against a model in memory, on a clock that the test moves:
 * what goes out and in which order, what is held, why and until when, and what the device says of its allowance.
 */
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { writeLinked } from './device-session.js';
import { changeDevice } from './device-settings.js';
import { createSealer } from './sealer.js';
import { useBench } from './testing/bench.js';
import { HistoryMaker, momentsOf, pick, seeded } from './testing/new-contact-histories.js';
import { ModelDevice } from './testing/new-contact-model.js';
import { Histories, type Pair, pauseMs } from './testing/replay-histories.js';
import { openStopped } from './testing/stopped-clock.js';

const bench = useBench({ poolSize: 4 });
const sealer = createSealer(createSecretKey(randomBytes(32)));
const devices = 200;
const start = new Date('2026-11-24T08:00:00.000Z');

test('two hundred histories go through Postgres as through the model', async () => {
  const tenant = await bench().tenant({ quota: null });
  const clock = await openStopped(bench().database, bench().url);
  try {
    await clock.set(start);
    const random = seeded(24);
    const pairs = await Promise.all(
      Array.from({ length: devices }, async (_, n): Promise<Pair> => {
        const holder = await bench().device(tenant.accountId);
        const change = { newContactsPerDay: 'automatic' } as const;
        await changeDevice(bench().database, sealer, tenant.accountId, holder.deviceId, change);
        return { holder, model: new ModelDevice(start, () => pauseMs), maker: new HistoryMaker(seeded(n + 1)) };
      }),
    );
    // The clock stands before the real time or after it: leases must run on both.
    await bench().query(`UPDATE device_leases SET expires_at = 'infinity'`);
    for (const { holder } of pairs) expect(await writeLinked(clock.database, holder, '628111')).toBe(true);
    await bench().query(`UPDATE device_health SET clean_since = $1`, [start]);
    await bench().query(`UPDATE devices SET state = 'connected'`);
    const histories = new Histories(tenant, bench().database, clock, pairs);
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
