import { expect, test } from 'vitest';
import { toApiError } from './answer-failure.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('a program reads that it may repeat the same send; a page does not, because it has no signature', () => {
  const program = toApiError(refused, { operation: 'sendMessage', isPerson: false });
  const person = toApiError(refused, { operation: 'sendMessage', isPerson: true });
  expect([program.code, person.code]).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  expect(program.message).toContain('Repeat the same request');
  expect(person.message).toMatch(/Try again shortly\.$/);
});

test('the error of an operation for people does not mention signatures', () => {
  expect(toApiError(refused, { operation: 'listKeys', isPerson: true }).message).not.toMatch(/sign|Timestamp/);
});
