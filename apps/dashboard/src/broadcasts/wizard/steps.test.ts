import { expect, test } from 'vitest';
import { isStep, openStep } from './steps.js';

test.each([
  ['send', { whom: true, message: true, check: true, send: false }, 'send'],
  ['send', { whom: true, message: true, check: false, send: false }, 'check'],
  ['check', { whom: true, message: false, check: true, send: false }, 'message'],
  ['message', { whom: false, message: true, check: false, send: false }, 'whom'],
  ['whom', { whom: false, message: false, check: false, send: false }, 'whom'],
] as const)('whoever asks for %s with %j gets %s', (asked, done, step) => {
  expect(openStep(asked, done)).toBe(step);
});

test('an address may name only steps', () => {
  expect([isStep('check'), isStep('later'), isStep(undefined)]).toEqual([true, false, false]);
});
