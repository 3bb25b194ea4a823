import { expect, test } from 'vitest';
import { minutesNeeded } from './minutes-needed.js';

const broadcast = {
  broadcast_id: 'brc_1',
  name: 'Promo',
  category: 'marketing',
  state: 'ready',
  paused_by: null,
  device_ids: ['dev_1', 'dev_2'],
  pace_per_minute: null,
  send_at: null,
  recipients: 100,
  created_at: '2026-11-21T09:00:00.000Z',
  started_at: null,
  ended_at: null,
  planned_share: null,
  audience_problem: null,
  window: null,
  max_per_person_a_day: 1,
  guards: { failed_percent: 20, opted_out_percent: 3 },
  tripped: null,
} as const;

const share = (pace_per_minute: number | null) => ({ device_id: 'dev_1', known: 0, pace_per_minute });

test.each([
  ['the devices share the work', [share(20), share(30)], null, 2],
  ['the pace of the broadcast is slower', [share(20), share(30)], 10, 10],
  ['the pace of the broadcast is faster', [share(20)], 1_000, 5],
  ['a device without a pace', [share(20), share(null)], null, null],
  ['only the broadcast has a pace', [share(null)], 50, 2],
])('%s', (_what, shares, pace_per_minute, minutes) => {
  const checked = { sendable: 100, shares, broadcast: { ...broadcast, device_ids: [], pace_per_minute } };
  expect(minutesNeeded(checked)).toBe(minutes);
});
