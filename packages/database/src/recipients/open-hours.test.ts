/** Checked against the local clock of each zone, as `Intl` shows it. */
import { countries, zonesOfCountry } from '@kurir/phone-numbers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOpenHours, findOpenHours } from './open-hours.js';

const zones = Intl.supportedValuesOf('timeZone');
const usual = { from: 8 * 60, to: 21 * 60 };

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The minute of the local day. */
function clockOf(zone: string, at: Date): number {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  clocks.set(zone, clock);
  const [hour, minute] = clock.format(at).split(':');
  return Number(hour) * 60 + Number(minute);
}

const isOpen = (zone: string, { from, to }: typeof usual, at: Date) =>
  clockOf(zone, at) >= from && clockOf(zone, at) < to;

/** Both changes of the clock of most countries in a year, and the days around them. */
const around = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01'].map((day) =>
  new Date(`${day}T00:00:00Z`).getTime(),
);
const anyTime = fc.oneof(
  fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') }),
  fc
    .tuple(fc.constantFrom(...around), fc.integer({ min: -36 * 3_600_000, max: 60 * 3_600_000 }))
    .map(([a, b]) => a + b),
);
const anyHours = fc
  .tuple(fc.integer({ min: 0, max: 1_380 }), fc.integer({ min: 60, max: 1_440 }))
  .map(([from, length]) => ({ from, to: Math.min(1_440, from + length) }));

test('in 10,000 random cases, each minute of the open time is open in all zones, and none before it is', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1, maxLength: 3 }),
      fc.oneof(fc.constant(usual), anyHours),
      anyTime,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (some, hours, atMs, part) => {
        const at = new Date(atMs);
        const openInAll = (moment: Date) => some.every((zone) => isOpen(zone, hours, moment));
        const found = findOpenHours(some, hours, at);
        const until = found === null ? atMs + 2 * 86_400_000 : found.opensAt.getTime();
        // Not open before it: else a message would wait for nothing.
        if (until > atMs) expect(openInAll(new Date(atMs + (until - 60_000 - atMs) * part))).toBe(false);
        if (found === null) return;
        const [from, to] = [Math.max(found.opensAt.getTime(), atMs), found.closesAt.getTime()];
        expect(from).toBeLessThan(to);
        for (const moment of [from, to - 1, from + Math.floor((to - from - 1) * part)])
          expect([some, hours, new Date(moment).toISOString(), openInAll(new Date(moment))]).toEqual([
            some,
            hours,
            new Date(moment).toISOString(),
            true,
          ]);
        // Hours without an end are looked at for three days only.
        if (to < atMs + 2 * 86_400_000) expect(openInAll(found.closesAt)).toBe(false);
      },
    ),
    { numRuns: 10_000 },
  );
});

describe('the usual hours', () => {
  test('are open every day in all zones of each country', () => {
    expect(countries.length).toBeGreaterThan(200);
    for (const country of countries) {
      expect([country, zonesOfCountry(country).length]).not.toEqual([country, 0]);
      const found = findOpenHours(zonesOfCountry(country), usual, new Date('2026-11-26T13:00:00Z'));
      expect([country, found === null]).toEqual([country, false]);
    }
  });

  test('of Indonesia are those that fit all of its zones', () => {
    expect(findOpenHours(zonesOfCountry('ID'), usual, new Date('2026-11-26T13:00:00Z'))).toEqual({
      opensAt: new Date('2026-11-27T01:00:00Z'),
      closesAt: new Date('2026-11-27T12:00:00Z'),
    });
  });
});

test('hours that are never open in both zones are not found', () => {
  const noon = { from: 12 * 60, to: 13 * 60 };
  expect(findOpenHours(['Europe/Paris', 'America/New_York'], noon, new Date())).toBeNull();
});

test('without a zone, no hour is open', () => {
  expect(findOpenHours([], usual, new Date())).toBeNull();
});

test('the memory gives the same answers as the search', () => {
  const openHours = createOpenHours();
  const begin = Date.parse('2026-10-20T00:00:00Z');
  for (let hour = 0; hour < 24 * 14; hour += 1) {
    const at = new Date(begin + hour * 3_600_000);
    for (const zone of ['Europe/Paris', 'Asia/Jakarta', 'America/Santiago'])
      expect(openHours([zone], usual, at)).toEqual(findOpenHours([zone], usual, at));
  }
});
