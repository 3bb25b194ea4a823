import { setTimeout as sleep } from 'node:timers/promises';
import { changeDevice } from '@kurir/database';
import { waitUntil } from '@kurir/testing';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createOtpsFirst } from './otps-first.js';
import { useBench } from './testing/bench.js';
import { newPhoneNumber, numberedTexts } from './testing/network.js';

const bench = useBench();

describe('beside otps', () => {
  let now: number;
  beforeEach(() => {
    now = 10_000;
  });

  /** How long a device pauses. */
  async function pauseOf(giveWay: () => Promise<void>): Promise<number> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    try {
      const startedAt = performance.now();
      const pausing = giveWay().then(() => performance.now() - startedAt);
      await vi.runAllTimersAsync();
      return await pausing;
    } finally {
      vi.useRealTimers();
    }
  }

  test('another device pauses for 50 ms, until the last one is 50 ms old', async () => {
    const otpsFirst = createOtpsFirst(() => now);
    const [sender, broadcaster] = [otpsFirst.ofDevice(), otpsFirst.ofDevice()];
    expect(await pauseOf(broadcaster.giveWay)).toBe(0);
    sender.sending();
    now += 49;
    expect(await pauseOf(broadcaster.giveWay)).toBe(50);
    now += 1;
    expect(await pauseOf(broadcaster.giveWay)).toBe(0);
  });

  test('a device whose own otps are rung for pauses no longer', async () => {
    const otpsFirst = createOtpsFirst(() => now);
    const [sender, broadcaster] = [otpsFirst.ofDevice(), otpsFirst.ofDevice()];
    sender.sending();
    const pausing = pauseOf(async () => {
      const paused = broadcaster.giveWay();
      sender.rung();
      await new Promise((resolve) => setTimeout(resolve, 20));
      broadcaster.rung();
      broadcaster.rung();
      await paused;
    });
    expect(await pausing).toBe(20);
    // What was rung for earlier shortens no later pause.
    expect(await pauseOf(broadcaster.giveWay)).toBe(50);
  });
});

/** A holder whose devices give way until the test lets them go on, and tell of their otps. */
function openPatientHolder() {
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const holder = bench().openHolder({
    otpsFirst: {
      ofDevice: () => ({
        sending: () => void told.push('otp'),
        areComing: () => true,
        giveWay: () => new Promise((resolve) => waiting.push(resolve)),
        rung: () => undefined,
      }),
    },
  });
  return {
    holder,
    told,
    waiting,
    /** How many went on. */
    goOn(): number {
      const going = waiting.splice(0);
      for (const go of going) go();
      return going.length;
    },
  };
}

test('a broadcast without a pace gives way before each message; an otp tells of itself and goes at once', async () => {
  const { holder, told, goOn } = openPatientHolder();
  const [broadcaster, sender] = [await bench().hold(holder), await bench().hold(holder)];
  const [phone, other] = [newPhoneNumber(), newPhoneNumber()];
  const texts = numberedTexts(2);
  await bench().sendTexts(broadcaster, phone, texts, { priority: 'bulk' });
  await bench().sendOne(sender, { recipient: other, text: 'otp', priority: 'otp' });
  await bench().network.expectTexts(other, ['otp']);
  expect(told).toEqual(['otp']);
  expect(await bench().network.texts(phone)).toEqual([]);
  // An otp that no job stands for goes with the broadcast's turn, and tells of itself as well.
  await bench().accept(broadcaster, [{ recipient: phone, text: 'own otp', priority: 'otp' }]);
  let pauses = 0;
  const haveArrived = async () => {
    pauses += goOn();
    return (await bench().network.texts(phone)).length === 3;
  };
  await waitUntil(haveArrived, { what: 'the broadcast goes on' });
  expect(await bench().network.texts(phone)).toEqual(['own otp', ...texts]);
  // On a slow machine a turn ends in its pause, and the next one pauses again.
  expect(pauses).toBeGreaterThanOrEqual(3);
  expect(told).toEqual(['otp', 'otp']);
});

test('a device with a pace gives no way', async () => {
  const { holder, waiting } = openPatientHolder();
  const customer = await bench().hold(holder);
  await changeDevice(bench().database, bench().sealer, customer.accountId, customer.deviceId, { pacePerMinute: 600 });
  await holder.holder.reconcile();
  const phone = newPhoneNumber();
  await bench().sendTexts(customer, phone, numberedTexts(3), { priority: 'bulk' });
  await bench().network.expectTexts(phone, numberedTexts(3));
  expect(waiting).toEqual([]);
});

test('a device that gets a pace while it gives way sends nothing more in that turn', async () => {
  const { holder, goOn, waiting } = openPatientHolder();
  const customer = await bench().hold(holder);
  const phone = newPhoneNumber();
  await bench().sendTexts(customer, phone, numberedTexts(3), { priority: 'bulk' });
  await waitUntil(() => waiting.length > 0, { what: 'the broadcast gives way' });
  await changeDevice(bench().database, bench().sealer, customer.accountId, customer.deviceId, { pacePerMinute: 1 });
  await holder.holder.reconcile();
  expect(goOn()).toBe(1);
  // The first of the paced lane, and after it nothing for a minute.
  const lane = bench().queue.laneQueue(customer.deviceId);
  await waitUntil(async () => (await lane.getRateLimitTtl(1)) > 0, { what: 'the lane keeps its pace' });
  await bench().network.untilTexts(phone, 1);
  // Time for one too many to arrive.
  await sleep(300);
  expect(await bench().network.texts(phone)).toEqual(numberedTexts(1));
});
