/** The pace of a device holds its next message, but not codes. */
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

/** The test sees the time of a statement a moment later. */
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

/** Claims the next message and marks it as sent. Returns its text, or the kind of the claim's outcome. */
async function send({ holder }: Tenant): Promise<string> {
  const outcome = await fixture().claim(holder);
  if (outcome.kind !== 'claimed') return outcome.kind;
  await moveMessages(fixture().database.pool, [{ id: outcome.message.id, to: 'sent' }]);
  return textIn(outcome.message.content);
}

/** The time for which the pace still holds the device. Null: the device has no row of pace. */
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

/** Lets this much time pass for the pace. */
const pass = ({ deviceId }: Tenant, ms: number) =>
  fixture().query(
    `UPDATE device_pace SET next_send_at = next_send_at - $2 * interval '1 millisecond' WHERE device_id = $1`,
    [deviceId, ms],
  );

/** Sets the next message's time, without jitter, this far from now. */
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

  test('does not make up for a quiet time', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, {}, {});
    await send(tenant);
    await pass(tenant, 10 * everyMs);
    await send(tenant);
    await expectWait(tenant, everyMs);
  });

  test('is not written for a device without one', async () => {
    const tenant = await paced({}, ...texts('a', 'b'));
    expect([await send(tenant), await send(tenant)]).toEqual(['a', 'b']);
    expect(await waitMs(tenant)).toBeNull();
  });

  test('counts only for its own device', async () => {
    const tenant = await paced({ pacePerMinute: 1 }, {}, {});
    const holder = await fixture().device(tenant.accountId);
    await fixture().accept({ ...tenant, holder, deviceId: holder.deviceId }, texts('of another'));
    await send(tenant);
    expect(await send({ ...tenant, holder })).toBe('of another');
  });

  test('does not move when a standing message is tried again or continues', async () => {
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

  /** The wait that a claim reports beyond the pace, when the time of the pace has come. */
  async function extraOf(tenant: Tenant): Promise<number> {
    const outcome = await fixture().claim(tenant.holder);
    const extra = outcome.kind === 'waits' ? outcome.waitMs - ((await waitMs(tenant)) ?? 0) : Number.NaN;
    return Math.round(extra / 10) * 10;
  }

  test('holds each message for another part of it, and always the same part for one message', async () => {
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

  test('leaves the average pace as it is', async () => {
    const tenant = await paced({ pacePerMinute: perMinute, paceJitterMs: jitterMs }, {}, {});
    await send(tenant);
    await set(tenant, -jitterMs);
    await send(tenant);
    await expectWait(tenant, everyMs - jitterMs);
  });

  test('leaves the pace as it is even if it is longer than the interval', async () => {
    const tenant = await paced({ pacePerMinute: 60, paceJitterMs: jitterMs }, {}, {});
    await send(tenant);
    await set(tenant, -jitterMs);
    await send(tenant);
    await expectWait(tenant, 1_000 - jitterMs);
  });

  test('works without a pace', async () => {
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
  test('does not wait for the pace, and moves it by one interval', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...texts('a', 'b'));
    expect(await send(tenant)).toBe('a');
    await fixture().accept(tenant, codes(2));
    expect([await send(tenant), await send(tenant)]).toEqual(['code 0', 'code 1']);
    await expectWait(tenant, 3 * everyMs);
    expect(await send(tenant)).toBe('waits');
  });

  test('starts an interval now if it is the first message, or comes long after the last one', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(2));
    await send(tenant);
    await expectWait(tenant, everyMs);
    await pass(tenant, 10 * everyMs);
    await send(tenant);
    await expectWait(tenant, everyMs);
  });

  test('moves the pace at most a minute ahead, whatever the number of codes', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(10));
    for (let n = 0; n < 10; n++) await send(tenant);
    await expectWait(tenant, 60_000);
  });

  test('never moves the pace back', async () => {
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

  test('counts from the last message when it becomes slower, also after a while', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, {});
    await send(tenant);
    await pass(tenant, 15_000);
    await change(tenant, { pacePerMinute: 2 });
    await expectWait(tenant, 15_000);
  });

  test('leaves a wait of at most one new interval, whatever the codes before it', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(10));
    for (let n = 0; n < 10; n++) await send(tenant);
    await change(tenant, { pacePerMinute: 12 });
    await expectWait(tenant, 5_000);
  });

  test('lets the next message go at once when it is removed', async () => {
    const tenant = await paced({ pacePerMinute: 1 }, ...texts('a', 'b'));
    expect([await send(tenant), await send(tenant)]).toEqual(['a', 'waits']);
    await change(tenant, { pacePerMinute: null });
    expect(await send(tenant)).toBe('b');
  });

  test('does not change with another setting', async () => {
    const tenant = await paced({ pacePerMinute: perMinute }, ...codes(3));
    for (let n = 0; n < 3; n++) await send(tenant);
    await change(tenant, { name: 'another', typingMs: 100, paceJitterMs: 100 });
    await change(tenant, { pacePerMinute: perMinute });
    await expectWait(tenant, 3 * everyMs);
  });

  test('is not written for a device of another account', async () => {
    const [tenant, other] = [await paced({ pacePerMinute: perMinute }, {}), await fixture().tenant()];
    await send(tenant);
    expect(await change({ ...tenant, accountId: other.accountId }, { pacePerMinute: null })).toBe(false);
    await expectWait(tenant, everyMs);
  });
});
