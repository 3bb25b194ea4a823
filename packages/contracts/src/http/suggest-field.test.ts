import { expect, test } from 'vitest';
import { z } from 'zod';
import { sendRequest } from '../messages/send-request.js';
import { parseInput } from './parse-input.js';
import { suggestField } from './suggest-field.js';

test.each([
  ['to', 'phone_destination'],
  ['phone', 'phone_destination'],
  ['phoneDestination', 'phone_destination'],
  ['Text', 'message'],
  ['mesage', 'message'],
  ['massage', 'message'],
  ['messsage', 'message'],
  ['mesasge', 'message'],
  ['ttl', 'ttl_seconds'],
  ['colour', null],
  ['x', null],
  ['constructor', null],
  ['__proto__', null],
  ['m'.repeat(100_000), null],
])('%s means %s', (name, field) => {
  expect(suggestField(sendRequest, [], name)).toBe(field);
});

test('a field of a list is found, and the sentence names it', () => {
  const body = { messages: [{ to: '6281234567890', message: 'Halo', color: 'red' }] };
  const list = z.strictObject({ messages: z.array(sendRequest).optional() });
  expect(() => parseInput(list, body)).toThrow('Unknown field "to", "color". Perhaps you mean phone_destination.');
});
