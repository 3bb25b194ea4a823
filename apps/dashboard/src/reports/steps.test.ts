import { expect, test } from 'vitest';
import { stepsOf } from './steps.js';

const first_steps = { device_linked: true, key_created: false, message_sent: false, plan_chosen: false };
const trial = {
  user_id: 'usr_1',
  plan: 'Trial',
  plan_type: 'TIME_BASED' as const,
  start_date: '2026-11-21T00:00:00.000Z',
  expiry_date: '2026-11-28T00:00:00.000Z',
  days_left: 7,
  initial_quota: 100,
  remaining_quota: 100,
};
const namesOf = (subscription: typeof trial | null) => stepsOf({ first_steps, subscription }).map(({ name }) => name);

test('while a period runs, the first message comes before the plan', () => {
  expect(namesOf(trial)).toEqual(['link', 'send', 'key', 'plan']);
});

test('without a period, or after it ended, the plan comes before the first message', () => {
  expect(namesOf(null)).toEqual(['link', 'plan', 'send', 'key']);
  expect(namesOf({ ...trial, days_left: 0 })).toEqual(['link', 'plan', 'send', 'key']);
});

test('a step that was done stays done at any place', () => {
  expect(stepsOf({ first_steps, subscription: null }).map(({ isDone }) => isDone)).toEqual([true, false, false, false]);
});
