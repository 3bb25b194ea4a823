import { expect, test } from 'vitest';
import type { Message } from '../status.js';
import { dayGroups, dayName } from './day-groups.js';

const at = (...parts: [number, number, number, number]) => new Date(2026, ...parts).toISOString();
const row = (id: string, createdAt: string) => ({ job_id: id, created_at: createdAt }) as unknown as Message; // only these two fields matter
const words = { today: 'Today', yesterday: 'Yesterday' };
const noon = new Date(2026, 2, 1, 12).getTime();

test('rows stand under their days, the newest day first', () => {
  const groups = dayGroups([
    row('d', at(2, 1, 0, 5)),
    row('a', at(0, 15, 9, 0)),
    row('c', at(1, 28, 23, 59)),
    row('b', at(1, 28, 0, 0)),
  ]);
  expect(groups.map(({ rows }) => rows.map(({ job_id: id }) => id))).toEqual([['d'], ['c', 'b'], ['a']]);
  expect(groups.map(({ day }) => dayName(day, noon, 'en', words))).toEqual(['Today', 'Yesterday', '15 January 2026']);
  expect(dayName(groups[2]?.day ?? '', noon, 'id', words)).toBe('15 Januari 2026');
});
