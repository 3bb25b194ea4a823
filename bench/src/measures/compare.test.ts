import { expect, test } from 'vitest';
import { createCleanup } from '../processes/cleanup.js';
import type { Setting } from '../processes/setting.js';
import { compare } from './compare.js';
import type { Measure, Sample } from './measure.js';

const setting: Setting = { seconds: 1, profileFolder: null, tell: () => {}, cleanup: createCleanup() };

/** Both sides return these rates in turn, and record when they ran. */
function measureOf(ours: readonly number[], base: readonly number[]): { measure: Measure; order: string[] } {
  const order: string[] = [];
  const side = (name: string, rates: readonly number[]) => {
    const left = [...rates];
    return async (): Promise<Sample> => {
      order.push(name);
      return { perSecond: left.shift() ?? Number.NaN, cpuUs: name === 'ours' ? { api: 100 } : {} };
    };
  };
  const open = async () => ({ ours: side('ours', ours), base: side('base', base) });
  return { measure: { name: 'one', unit: 'messages/s', target: 1, open }, order };
}

test('a run compares two neighbours, so that a slow moment of the machine does not change the ratio', async () => {
  const { measure } = measureOf([100, 10, 120], [200, 20, 200]);
  const result = await compare(measure, setting, 3);
  expect(result).toMatchObject({ ours: 100, base: 200, ratio: 0.5, lowestRatio: 0.5, highestRatio: 0.6, runs: 3 });
});

test('the sides take turns in going first', async () => {
  const { measure, order } = measureOf([1, 1, 1], [1, 1, 1]);
  await compare(measure, setting, 3);
  expect(order).toEqual(['ours', 'base', 'base', 'ours', 'ours', 'base']);
});

test('the median of an even number of runs is the mean of the two in the middle', async () => {
  const { measure } = measureOf([10, 30], [10, 10]);
  expect(await compare(measure, setting, 2)).toMatchObject({ ours: 20, ratio: 2 });
});

test('a comparison has no CPU time on a machine that does not report it', async () => {
  const { measure } = measureOf([1], [1]);
  expect(await compare(measure, setting, 1)).toMatchObject({
    oursCpuUs: { api: 100 },
    baseCpuUs: {},
    cpuRatios: [],
  });
});

test('the comparison has the CPU ratio of the tested processes for each run', async () => {
  const used = (us: number): Sample => ({ perSecond: 1, cpuUs: { tested: us, postgres: 5_000 } });
  const [ours, base] = [
    [200, 300],
    [100, 200],
  ];
  const open = async () => ({
    ours: async () => used(ours.shift() ?? Number.NaN),
    base: async () => used(base.shift() ?? Number.NaN),
  });
  const { cpuRatios } = await compare({ name: 'one', unit: 'messages/s', target: null, open }, setting, 2);
  expect(cpuRatios).toEqual([2, 1.5]);
});
