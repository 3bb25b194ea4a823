/** When a device's pace lets its next message go, and that codes do not wait for it. */
import { describe, expect, test } from 'vitest';
import {
  present,
  sealer,
  type Tenant,
  type TestInput,
  textIn,
  useDatabaseFixture,
} from '../../test/database-fixture.js';
import { moveMessages } from '../messages/write-status.js';
import { changeDevice, type DeviceChanges } from './device-settings.js';

const fixture = useDatabaseFixture();

/** A statement's own time is seen a moment later. */
const slackMs = 2_000;
const perMinute = 6;
const everyMs = 10_000;

const change = ({ accountId, deviceId }: Tenant, changes: DeviceChanges) =>
  changeDevice(fixture().database, sealer, accountId, deviceId, changes);

/** A tenant whose device has a pace, with these messages. */
async function paced(changes: DeviceChanges, ...inputs: TestInput[]): Promise<Tenant> {
  const tenant = await fixture().tenant();
  await change(tenant, changes);
  await fixture().accept(tenant, inputs);
  return tenant;
}

/** Claims the next message and has it answered; its text, or how the claim ended. */
async function send({ holder }: Tenant): Promise<string> {
  const outcome = await fixture().claim(holder);
  if (outcome.kind !== 'claimed') return outcome.kind;
  await moveMessages(fixture().database.pool, [{ id: outcome.message.id, to: 'sent' }]);
  return textIn(outcome.message.content);
}

/** How long the pace holds the device from now on; null: it knows nothing of it. */
async function waitMs({ deviceId }: Tenant): Promise<number | null> {
  const [row] = await fixture().query<{ ms: number }>(
    `SELECT (extract(epoch FROM next_send_at - now()) * 1000)::float8 AS ms FROM device_pace WHERE device_id = $1`,
    [deviceId],
  );
  return row?.ms ?? null;
}

async function expectWait(tenant: Tenant, ms: number): Promise<void> {
  const waits = present((await waitMs(tenant)) ?? undefined);
  expect(waits).toBeLessThanOrEqual(ms);
  expect(waits).toBeGreaterThan(ms - slackMs);
}

/** As if so much time had passed for the pace. */
const pass = ({ deviceId }: Tenant, ms: number) =>
  fixture().query(
    `UPDATE device_pace SET next_send_at = next_send_at - $2 * interval '1 millisecond' WHERE device_id = $1`,
    [deviceId, ms],
  );

/** The next message's time, jitter apart, so far from now. */
const set = ({ deviceId }: Tenant, ms: number) =>
  fixture().query(
    `INSERT INTO device_pace VALUES ($1, now() + $2 * interval '1 millisecond')
     ON CONFLICT (device_id) DO UPDATE SET next_send_at = excluded.next_send_at`,
    [deviceId, ms],
  );

const texts = (...all: string[]): TestInput[] => all.map((text) => ({ text }));
const codes = (count: number): TestInput[] =>
  Array.from({ length: count }, (_, n) => ({ text: `code ${n}`, priority: 'otp' }));

describe('the pace', () => {
  test('lets one message go in each interval, and says how long the next one waits', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...texts('a', 'b'));
    expect(await send(tenant)).toBe('a');
    const outcome = await fixture().claim(tenant.holder);
    const waits = outcome.kind === 'waits' ? outcome.waitMs : 0;
    expect(waits).toBeLessThanOrEqual(everyMs);
    expect(waits).toBeGreaterThan(everyMs - slackMs);
    await pass(tenant, everyMs);
    expect(await send(tenant)).toBe('b');
    await expectWait(tenant, everyMs);
  });

  test('of a device that was quiet begins anew: nothing is made up for', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, {}, {});
    await send(tenant);
    await pass(tenant, 10 * everyMs);
    await send(tenant);
    await expectWait(tenant, everyMs);
  });

  test('that a device does not have is not written', async () => {
    const tenant = await paced({}, ...texts('a', 'b'));
    expect([await send(tenant), await send(tenant)]).toEqual(['a', 'b']);
    expect(await waitMs(tenant)).toBeNull();
  });

  test('counts for its own device only', async () => {
    const tenant = await paced({ pacePerMinute: 1 }, {}, {});
    const holder = await fixture().device(tenant.accountId);
    await fixture().accept({ ...tenant, holder, deviceId: holder.deviceId }, texts('of another'));
    await send(tenant);
    expect(await send({ ...tenant, holder })).toBe('of another');
  });

  test('is not moved on by the next try of a standing message, nor where it continues', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, {});
    const first = await fixture().claim(tenant.holder);
    await pass(tenant, everyMs);
    await fixture().claim(tenant.holder);
    await fixture().claim(tenant.holder, { lastTry: first.kind === 'claimed' ? `${first.message.id}#1` : '' });
    expect(await waitMs(tenant)).toBeLessThanOrEqual(0);
  });
});

describe('the jitter', () => {
  const jitterMs = 5_000;

  /** How long a claim says that the next message waits beyond the pace, when that has come. */
  async function extraOf(tenant: Tenant): Promise<number> {
    const outcome = await fixture().claim(tenant.holder);
    const extra = outcome.kind === 'waits' ? outcome.waitMs - ((await waitMs(tenant)) ?? 0) : Number.NaN;
    return Math.round(extra / 10) * 10;
  }

  test('holds a message for a part of it beyond the pace, another part for each, and the same however often one asks', async () => {
    const tenant = await paced({ pacePerMinute: perMinute, paceJitterMs: jitterMs }, {});
    const extras: number[] = [];
    for (let n = 0; n < 12; n++) {
      await set(tenant, 20_000 + 1_000 * n);
      const extra = await extraOf(tenant);
      // The two times are read a moment apart.
      expect(Math.abs((await extraOf(tenant)) - extra)).toBeLessThan(500);
      extras.push(extra);
    }
    expect(Math.min(...extras)).toBeGreaterThanOrEqual(-500);
    expect(Math.max(...extras)).toBeLessThan(jitterMs + 500);
    expect(Math.max(...extras) - Math.min(...extras)).toBeGreaterThan(jitterMs / 3);
  });

  test('that a message waited for leaves the pace as it is on average', async () => {
    const tenant = await paced({ pacePerMinute: perMinute, paceJitterMs: jitterMs }, {}, {});
    await send(tenant);
    await set(tenant, -jitterMs);
    await send(tenant);
    await expectWait(tenant, everyMs - jitterMs);
  });

  test('that is longer than the time between two messages leaves the pace as it is, too', async () => {
    const tenant = await paced({ pacePerMinute: 60, paceJitterMs: jitterMs }, {}, {});
    await send(tenant);
    await set(tenant, -jitterMs);
    await send(tenant);
    await expectWait(tenant, 1_000 - jitterMs);
  });

  test('may be all that a device has', async () => {
    const tenant = await paced({ paceJitterMs: jitterMs }, {}, {});
    await send(tenant);
    expect(await waitMs(tenant)).toBeLessThanOrEqual(0);
    await set(tenant, 1_000);
    expect(await send(tenant)).toBe('waits');
    await set(tenant, -jitterMs - 1_000);
    expect(await send(tenant)).not.toBe('waits');
  });

  test('does not hold codes', async () => {
    const tenant = await paced({ paceJitterMs: jitterMs }, {}, ...codes(1));
    await set(tenant, 1_000);
    expect([await send(tenant), await send(tenant)]).toEqual(['code 0', 'waits']);
  });
});

describe('a code', () => {
  test('does not wait for the pace, and moves it one interval on', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...texts('a', 'b'));
    expect(await send(tenant)).toBe('a');
    await fixture().accept(tenant, codes(2));
    expect([await send(tenant), await send(tenant)]).toEqual(['code 0', 'code 1']);
    await expectWait(tenant, 3 * everyMs);
    expect(await send(tenant)).toBe('waits');
  });

  test('that is first of all begins an interval now, and one long after the last does, too', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(2));
    await send(tenant);
    await expectWait(tenant, everyMs);
    await pass(tenant, 10 * everyMs);
    await send(tenant);
    await expectWait(tenant, everyMs);
  });

  test('moves it no further than 60 s ahead, however many go out', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(10));
    for (let n = 0; n < 10; n++) await send(tenant);
    await expectWait(tenant, 60_000);
  });

  test('never moves it back where it stands further ahead', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(1));
    await set(tenant, 75_000);
    await send(tenant);
    await expectWait(tenant, 75_000);
  });
});

describe('a changed pace', () => {
  test.each([
    ['faster', 60, 1_000],
    ['slower', 2, 30_000],
    ['as before', perMinute, everyMs],
  ])('counts at once, from the last message on: %s', async (_what, pacePerMinute, ms) => {
    const tenant = await paced({ pacePerMinute: perMinute }, {});
    await send(tenant);
    await change(tenant, { pacePerMinute });
    await expectWait(tenant, ms);
  });

  test('to a slower one counts from the last message on, also when that was a while ago', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, {});
    await send(tenant);
    await pass(tenant, 15_000);
    await change(tenant, { pacePerMinute: 2 });
    await expectWait(tenant, 15_000);
  });

  test('leaves no longer wait than one new interval, whatever codes have moved on', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(10));
    for (let n = 0; n < 10; n++) await send(tenant);
    await change(tenant, { pacePerMinute: 12 });
    await expectWait(tenant, 5_000);
  });

  test('to none lets the next message go at once', async () => {
    const tenant = await paced({ pacePerMinute: 1 }, ...texts('a', 'b'));
    expect([await send(tenant), await send(tenant)]).toEqual(['a', 'waits']);
    await change(tenant, { pacePerMinute: null });
    expect(await send(tenant)).toBe('b');
  });

  test('is not another one when something else is changed', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(3));
    for (let n = 0; n < 3; n++) await send(tenant);
    await change(tenant, { name: 'another', typingMs: 100, paceJitterMs: 100 });
    await change(tenant, { pacePerMinute: perMinute });
    await expectWait(tenant, 3 * everyMs);
  });

  test("of somebody else's device is not written", async () => {
    const [tenant, other] = [await paced({ pacePerMinute: perMinute }, {}), await fixture().tenant()];
    await send(tenant);
    expect(await change({ ...tenant, accountId: other.accountId }, { pacePerMinute: null })).toBe(false);
    await expectWait(tenant, everyMs);
  });
});
