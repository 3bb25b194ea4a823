import { expect, test } from 'vitest';
import { BodyBudget } from './body-budget.js';

const limits = { processMaxBytes: 100, callerMaxBytes: 60 };

test('one caller that sends too much at once is refused, and another is not', () => {
  const budget = new BodyBudget(limits);
  budget.open('key_a').growTo(60);
  expect(budget.open('key_a').growTo(1)?.code).toBe('RATE_LIMITED');
  expect(budget.open('key_b').growTo(40)?.code).toBeUndefined();
});

test('when the process holds too much, nobody gets more until a request is over', () => {
  const budget = new BodyBudget(limits);
  const first = budget.open('key_a');
  first.growTo(60);
  budget.open('key_b').growTo(40);
  expect(budget.open('key_c').growTo(1)?.code).toBe('SERVICE_UNAVAILABLE');
  first.release();
  expect(budget.open('key_c').growTo(60)?.code).toBeUndefined();
  expect(budget.bytes).toBe(100);
});

test('a body that grows counts its new bytes only, and a refusal reserves nothing', () => {
  const budget = new BodyBudget(limits);
  const reservation = budget.open('key_a');
  reservation.growTo(30);
  reservation.growTo(20);
  expect(budget.bytes).toBe(30);
  expect(reservation.growTo(61)?.code).toBe('RATE_LIMITED');
  expect(budget.bytes).toBe(30);
  reservation.release();
  reservation.release();
  expect(budget.bytes).toBe(0);
});

test('only the refusal of a caller names its limit, and the bytes that are left', () => {
  const budget = new BodyBudget(limits);
  budget.open('key_a').growTo(50);
  const refused = budget.open('key_a');
  expect(refused.refusedBy).toEqual([]);
  refused.growTo(20);
  expect(refused.refusedBy).toEqual([
    ['RateLimit-Policy', '"body-bytes";q=60;qu="content-bytes"'],
    ['RateLimit', '"body-bytes";r=10;t=1'],
  ]);
  budget.open('key_b').growTo(50);
  const unlucky = budget.open('key_c');
  expect(unlucky.growTo(1)?.code).toBe('SERVICE_UNAVAILABLE');
  expect(unlucky.refusedBy).toEqual([]);
});
