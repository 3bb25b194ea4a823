import { expect, test } from 'vitest';
import { parseInput } from '../http/parse-input.js';
import { messageListQuery } from './message-list-query.js';

function refusalOf(query: object): unknown {
  try {
    parseInput(messageListQuery, query);
    return null;
  } catch (error) {
    return error;
  }
}

test('a filter refuses text that Postgres cannot store, so that it never reaches the database', () => {
  for (const field of ['device_id', 'phone_destination', 'client_ref'])
    expect(refusalOf({ [field]: 'a\u0000' })).toMatchObject({ code: 'INVALID_REQUEST' });
});

test.each(['-1', '1.5', 'x', '', '9'.repeat(19), '1 OR 1=1'])('a list refuses the cursor %j', (cursor) => {
  expect(refusalOf({ cursor })).toMatchObject({ message: expect.stringMatching(/^cursor: /) });
});

test.each(['0', '101', 'x', '1e99'])('a list refuses the limit %j', (limit) => {
  expect(refusalOf({ limit })).toMatchObject({ message: expect.stringMatching(/^limit: /) });
});

test('a list ignores unknown parameters', () => {
  expect(parseInput(messageListQuery, { page: '2' })).toMatchObject({ limit: 50, cursor: null });
});
