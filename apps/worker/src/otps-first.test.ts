import { waitUntil } from '@kurir/testing';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
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
    onTestFinished(() => void vi.useRealTimers());
    const startedAt = performance.now();
    const pausing = giveWay().then(() => performance.now() - startedAt);
    await vi.runAllTimersAsync();
    return pausing;
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

  test('a device that sent one itself within a second goes on', async () => {
    const otpsFirst = createOtpsFirst(() => now);
    const [sender, other] = [otpsFirst.ofDevice(), otpsFirst.ofDevice()];
    sender.sending();
    now += 999;
    other.sending();
    expect(await pauseOf(sender.giveWay)).toBe(0);
    now += 1;
    expect(await pauseOf(sender.giveWay)).toBe(50);
  });
});

test('a broadcast without a pace gives way before each message; an otp tells of itself and goes at once', async () => {
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const held = bench().openHolder({
    otpsFirst: {
      ofDevice: () => ({
        sending: () => void told.push('otp'),
        giveWay: () => new Promise((resolve) => waiting.push(resolve)),
      }),
    },
  });
  const [broadcaster, sender] = [await bench().hold(held), await bench().hold(held)];
  const [phone, other] = [newPhoneNumber(), newPhoneNumber()];
  const texts = numberedTexts(2);
  await bench().sendTexts(broadcaster, phone, texts, { priority: 'bulk' });
  const untilItGivesWay = () => waitUntil(() => waiting.length > 0, { what: 'the broadcast gives way' });
  await untilItGivesWay();
  await bench().sendOne(sender, { recipient: other, text: 'otp', priority: 'otp' });
  await bench().network.expectTexts(other, ['otp']);
  expect(told).toEqual(['otp']);
  expect(await bench().network.texts(phone)).toEqual([]);
  for (const [n] of texts.entries()) {
    await untilItGivesWay();
    for (const goOn of waiting.splice(0)) goOn();
    await bench().network.expectTexts(phone, texts.slice(0, n + 1));
  }
});
