import { limits } from '@kurir/contracts/dashboard';
import { expect, test } from 'vitest';
import { changedRules, kindOf, mayBeAtNight, ruleFieldsOf, rulesOfBroadcast, usualRules } from './rules.js';

const usual = {
  window: { from: '08:00', to: '21:00', zone: 'recipient' },
  max_per_person_a_day: 1,
  guards: { failed_percent: 20, opted_out_percent: 3 },
} as const;

test('promotions have the usual hours, and the rest any hour', () => {
  expect(ruleFieldsOf(usualRules, 'marketing')).toEqual(usual);
  expect(ruleFieldsOf(usualRules, 'transactional')).toEqual({ ...usual, window: null });
  // The category was changed after the hours were chosen.
  expect(kindOf({ ...usualRules, hours: 'usual' }, 'transactional')).toBe('any');
});

test('what somebody chose is what the gateway gets', () => {
  const rules = {
    hours: 'own',
    from: '09:00',
    to: '17:30',
    zone: 'account',
    maxPerDay: '',
    failed: null,
    optedOut: '5',
  } as const;
  expect(ruleFieldsOf(rules, 'transactional')).toEqual({
    window: { from: '09:00', to: '17:30', zone: 'account' },
    max_per_person_a_day: null,
    guards: { failed_percent: null, opted_out_percent: 5 },
  });
  expect(ruleFieldsOf({ ...rules, hours: 'any' }, 'marketing')?.window).toBeNull();
});

test.each([
  [{ hours: 'own', from: '09:00', to: '09:30' }],
  [{ hours: 'own', from: '21:00', to: '08:00' }],
  [{ maxPerDay: '0' }],
  [{ maxPerDay: String(limits.maxPerPersonADay + 1) }],
  [{ failed: '' }],
  [{ failed: '101' }],
  [{ optedOut: '2,5' }],
] as const)('%j is wrong', (part) => {
  expect(ruleFieldsOf({ ...usualRules, ...part }, 'marketing')).toBeNull();
});

test.each([
  [{ ...usual, category: 'marketing' }, 'usual'],
  [{ ...usual, category: 'transactional' }, 'own'],
  [{ ...usual, window: null, category: 'marketing' }, 'any'],
  [{ ...usual, window: { ...usual.window, to: '24:00' }, category: 'marketing' }, 'own'],
] as const)('the form shows %j as it is, with the hours %s', (broadcast, hours) => {
  const rules = rulesOfBroadcast(broadcast);
  expect(rules.hours).toBe(hours);
  const { window, max_per_person_a_day, guards } = broadcast;
  expect(ruleFieldsOf(rules, broadcast.category)).toEqual({ window, max_per_person_a_day, guards });
});

test.each([
  ['marketing', null, true],
  ['marketing', usual.window, false],
  ['marketing', { ...usual.window, from: '07:59' }, true],
  ['marketing', { ...usual.window, to: '21:01' }, true],
  ['marketing', { ...usual.window, from: '09:00', to: '17:00' }, false],
  ['transactional', null, false],
] as const)('%s with the window %j may be at night: %s', (category, window, expected) => {
  expect(mayBeAtNight(category, window)).toBe(expected);
});

test('only what differs is changed', () => {
  expect(changedRules(usual, usual)).toEqual({});
  expect(changedRules({ ...usual, window: null, guards: { ...usual.guards, failed_percent: null } }, usual)).toEqual({
    window: null,
    guards: { failed_percent: null, opted_out_percent: 3 },
  });
});
