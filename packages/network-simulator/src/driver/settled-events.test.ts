import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { waitUntil } from '@kurir/network/conformance';
import { RunningSimulator } from '../testing/running-simulator.js';
import { SettledEvents } from './settled-events.js';

const handled = async () => undefined;
const refused = () => Promise.reject(new Error('the database is away'));

describe('what was handled', () => {
  let told: (readonly number[])[];
  let settled: SettledEvents;

  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    settled = new SettledEvents((events) => void told.push(events));
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is told alone when no message took it along, and not what was refused', async () => {
    await Promise.all([settled.after(1, handled), settled.after(2, refused), settled.after(3, handled)]);
    await vi.advanceTimersByTimeAsync(249);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toEqual([[1, 3]]);
    await settled.after(4, handled);
    await vi.advanceTimersByTimeAsync(250);
    expect(told).toEqual([[1, 3], [4]]);
  });

  test('is told once: what a message took along is not told again', async () => {
    await settled.after(1, handled);
    expect(settled.take()).toEqual([1]);
    await settled.after(2, handled);
    await vi.advanceTimersByTimeAsync(250);
    expect(told).toEqual([[2]]);
    expect(settled.take()).toEqual([]);
  });

  test('does not wait when it is much, nor at the end, and is never told after it', async () => {
    for (let event = 0; event < 201; event += 1) await settled.after(event, handled);
    expect(told.map((events) => events.length)).toEqual([200]);
    settled.flush();
    expect(told.flat()).toHaveLength(201);
    await settled.after(201, handled);
    settled.stop();
    await settled.after(202, handled);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told.flat()).toHaveLength(201);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('the network hears of handled receipts with the next message', async () => {
  const simulator = await RunningSimulator.start();
  onTestFinished(() => simulator.stop());
  const [device, recipient] = [await simulator.link(), simulator.freshNumber()];
  await simulator.askFor('POST', '/phones', { numbers: [recipient] });
  const { receipts, session } = await simulator.connect(device);
  const send = () => session.send({ networkMessageId: simulator.freshId(), recipient, text: 'Halo' });
  await send();
  await waitUntil('its receipts came', () => receipts.length === 2);
  await send();
  const journal = (await simulator.askFor('GET', '/journal')) as { entries: { kind: string }[] };
  expect(journal.entries.map(({ kind }) => kind).slice(-3)).toEqual(['message', 'settled', 'message']);
});
