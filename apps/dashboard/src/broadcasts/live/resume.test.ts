import type { PauseReason } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import type { Broadcast, Counts } from '../figures.js';
import { mayResume } from './resume.js';

const broadcast = (state: Broadcast['state'], paused_by: PauseReason | null = null): Broadcast => ({
  broadcast_id: 'brc_1',
  name: 'Promo',
  category: 'marketing',
  state,
  paused_by,
  device_ids: ['dev_1'],
  pace_per_minute: null,
  send_at: null,
  recipients: 3,
  created_at: '2026-11-21T09:00:00.000Z',
  started_at: null,
  ended_at: null,
  planned_share: null,
  audience_problem: null,
  window: null,
  max_per_person_a_day: 1,
  guards: { failed_percent: 20, opted_out_percent: 3 },
  tripped: null,
});

const found = (one: Broadcast, messages: Counts['messages']) => ({
  broadcast: one,
  counts: { pending: 0, skipped: [], messages, failed: [] },
  text: null,
  rate_per_minute: null,
  ends_about: null,
});

test.each([
  [broadcast('running'), { failed: 1 }, []],
  [broadcast('paused', 'user'), {}, ['pending']],
  [broadcast('paused', 'guard'), { failed: 2, unknown: 1 }, ['pending', 'failed', 'unknown']],
  [broadcast('paused', 'quota'), { failed: 2 }, []],
  [broadcast('finished'), { delivered: 4 }, []],
  [broadcast('finished'), { failed: 1 }, ['failed']],
  [broadcast('finished'), { unknown: 1 }, ['unknown']],
  [broadcast('cancelled'), { failed: 1 }, []],
] as const)('%j with %j can send to %j', (one, messages, scopes) => {
  expect(mayResume(found(one, messages))).toEqual(scopes);
});
