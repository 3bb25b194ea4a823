import { expect, it } from 'vitest';
import { planFaults, weights } from './plan-faults.js';
import { createRandom } from './random.js';

const plan = (seed: string, count = 200) => planFaults(createRandom(seed, 'faults'), count, weights, 1_600);

it('the seed alone decides the faults, and a longer run begins with those of a shorter one', () => {
  expect(plan('7')).toEqual(plan('7'));
  expect(plan('7', 400).slice(0, 200)).toEqual(plan('7'));
  expect(plan('8')).not.toEqual(plan('7'));
});

it('every kind of fault is drawn about as often as its weight says', () => {
  const drawn = plan('1', 10_000).map((fault) => fault.kind);
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  for (const [kind, weight] of Object.entries(weights)) {
    const share = drawn.filter((name) => name === kind).length / drawn.length;
    expect(share, kind).toBeGreaterThan((0.5 * weight) / total);
    expect(share, kind).toBeLessThan((2 * weight) / total);
  }
});

it('only kinds with a weight are drawn', () => {
  const kinds = planFaults(createRandom('1', 'faults'), 50, { kill_api: 1 }, 100).map((fault) => fault.kind);
  expect(new Set(kinds)).toEqual(new Set(['kill_api']));
});
