import { expect, test } from 'vitest';
import { toApiError } from './answer-failure.js';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test('a program is told that repeating the same send is safe; a person’s page is not, since it has no signature', () => {
  const program = toApiError(refused, { operation: 'sendMessage', isPerson: false });
  const person = toApiError(refused, { operation: 'sendMessage', isPerson: true });
  expect([program.code, person.code]).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE']);
  expect(program.message).toContain('Repeat the same request');
  expect(person.message).toMatch(/Try again shortly\.$/);
});

test('a person’s own operation says no word about signatures', () => {
  expect(toApiError(refused, { operation: 'listKeys', isPerson: true }).message).not.toMatch(/sign|Timestamp/);
});
