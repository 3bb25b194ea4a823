import { expect, test } from 'vitest';
import { nextOpening } from './next-opening.js';

const hours = { from: '08:00', to: '21:00' };
const indonesia = ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura'];

test.each([
  ['by day it is open', indonesia, '2026-11-21T05:00:30.000Z', '2026-11-21T05:00:30.000Z'],
  ['it closes with the last zone', indonesia, '2026-11-21T11:56:00.000Z', '2026-11-21T11:56:00.000Z'],
  ['no message begins just before the end', indonesia, '2026-11-21T11:57:00.000Z', '2026-11-22T01:00:00.000Z'],
  ['in the east it is night before', indonesia, '2026-11-21T12:30:00.000Z', '2026-11-22T01:00:00.000Z'],
  ['one zone alone is open for longer', ['Asia/Jakarta'], '2026-11-21T12:30:00.000Z', '2026-11-21T12:30:00.000Z'],
  ['before dawn', ['Asia/Jakarta'], '2026-11-20T22:10:20.000Z', '2026-11-21T01:00:00.000Z'],
])('%s', (_what, zones, at, opens) => {
  expect(nextOpening(hours, zones, Date.parse(at))).toBe(Date.parse(opens));
});

test('zones without a common hour never open', () => {
  const zones = ['Asia/Jakarta', 'America/New_York'];
  expect(nextOpening({ from: '09:00', to: '12:00' }, zones, Date.parse('2026-11-21T05:00:00.000Z'))).toBeNull();
});
