import { expect, test } from 'vitest';
import { hasOpenSteps, stepsOf } from './steps.js';

const first_steps = {
  device_linked: true,
  key_created: false,
  message_sent: false,
  plan_chosen: false,
  contacts_added: false,
  broadcast_started: false,
};
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

test('while a period runs, the first message comes before the plan, and the key comes last', () => {
  expect(namesOf(trial)).toEqual(['link', 'send', 'contacts', 'broadcast', 'plan', 'key']);
});

test('without a period, or after it ended, the plan comes before the first message', () => {
  expect(namesOf(null)).toEqual(['link', 'plan', 'send', 'contacts', 'broadcast', 'key']);
  expect(namesOf({ ...trial, days_left: 0 })).toEqual(['link', 'plan', 'send', 'contacts', 'broadcast', 'key']);
});

test('a step that was done stays done at any place, and only the key is optional', () => {
  const steps = stepsOf({ first_steps, subscription: null });
  expect(steps.filter(({ isDone }) => isDone).map(({ name }) => name)).toEqual(['link']);
  expect(steps.filter(({ isOptional }) => isOptional).map(({ name }) => name)).toEqual(['key']);
});

test('the steps end with a broadcast or with a key, whichever the account is for', () => {
  const begun = { ...first_steps, message_sent: true, plan_chosen: true };
  expect(hasOpenSteps(begun)).toBe(true);
  expect(hasOpenSteps({ ...begun, broadcast_started: true })).toBe(false);
  expect(hasOpenSteps({ ...begun, key_created: true })).toBe(false);
  expect(hasOpenSteps({ ...begun, key_created: true, plan_chosen: false })).toBe(true);
});
