import { expect, test } from 'vitest';
import type { Comparison } from '../measures/compare.js';
import { comparisonRows, formatTable } from './comparisons.js';

const row: Comparison = {
  name: 'accept',
  unit: 'messages/s',
  target: 1,
  runs: 3,
  ours: 1234.5,
  base: 4000.25,
  ratio: 0.30861,
  lowestRatio: 0.2,
  highestRatio: 0.4,
  oursCpuUs: { api: 250.4, postgres: 50 },
  baseCpuUs: {},
  cpuRatios: [],
};

test('a row for programs has exactly the documented fields', () => {
  expect(comparisonRows([row])).toEqual([
    {
      name: 'accept',
      ours: 1235,
      base: 4000,
      ratio: 0.309,
      lowest: 0.2,
      highest: 0.4,
      unit: 'messages/s',
      runs: 3,
      ours_cpu_us: { api: 250.4, postgres: 50 },
      base_cpu_us: {},
    },
  ]);
});

test('the table shows the ratio, its spread and its target', () => {
  const [head = '', line = ''] = formatTable([row]).split('\n');
  expect(line).toMatch(/accept +1,235 +4,000 +messages\/s +0\.31 +0\.20 to 0\.40 +≥ 1\.00 +3 +250 µs \(300\) +n\/a/);
  expect(line.indexOf('0.31')).toBe(head.indexOf('ratio'));
});

test('the table shows no target for a measure without one', () => {
  expect(formatTable([{ ...row, target: null }])).not.toContain('≥');
});
