import { expect, test } from 'vitest';
import { figureRows, formatFigures } from './figures.js';

const findings = {
  study: 'sessions',
  figures: [
    { name: 'all connected', value: 61.26, unit: 's', digits: 1, atMost: 60 },
    { name: 'rate', value: 1234, unit: '/s', digits: 0, atLeast: 1000 },
    { name: 'CPU', value: null, unit: 'ms', digits: 2, atMost: 4 },
    { name: 'base', value: 101.5, unit: 'MB', digits: 1 },
  ],
};

test('the table shows each target and whether it was reached', () => {
  const lines = formatFigures(findings).split('\n');
  expect(lines[1]).toMatch(/all connected +61\.3 s +≤ 60 +not reached/);
  expect(lines[2]).toMatch(/rate +1,234 \/s +≥ 1,000 +reached/);
  expect(lines[3]).toMatch(/CPU +n\/a +≤ 4$/);
  expect(lines[4]).toMatch(/base +101\.5 MB$/);
});

test('a row for programs has the figure with its unit, rounded to its significant decimals', () => {
  expect(figureRows(findings)[0]).toEqual({ study: 'sessions', name: 'all connected', value: 61.3, unit: 's' });
  expect(figureRows(findings)[2]).toMatchObject({ name: 'CPU', value: null });
});
