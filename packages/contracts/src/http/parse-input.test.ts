import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publicOperations, publicOperationNames } from '../operations/route-table.js';
import type { PublicOperation } from './operation-entry.js';
import { ApiError } from './errors.js';
import { parseInput } from './parse-input.js';
import { sendRequest } from '../messages/send-request.js';

const schemas: readonly z.ZodType[] = publicOperationNames.flatMap((operation) => {
  const { body, query }: PublicOperation = publicOperations[operation];
  return [body, query].filter((schema) => schema !== null);
});

const fields = [
  'message',
  'phone_destination',
  'client_ref',
  'priority',
  'ttl_seconds',
  'send_at',
  'action',
  'messages',
];

/** JSON from a hostile client: rubbish as the whole body, as the value of a known field, or under a dangerous name. */
const hostile = fc.oneof(
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.dictionary(
    fc.constantFrom(...fields, '__proto__', 'constructor', 'toString'),
    fc.jsonValue({ stringUnit: 'binary' }),
  ),
);

function thrownBy(schema: z.ZodType, input: unknown): unknown {
  try {
    parseInput(schema, input);
    return null;
  } catch (error) {
    return error;
  }
}

describe('parsing untrusted input', () => {
  test('throws an ApiError of status 422 or nothing, for any JSON', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(...schemas), (input, schema) => {
        const thrown = thrownBy(schema, JSON.parse(JSON.stringify(input)));
        if (thrown === null) return;
        expect(thrown).toBeInstanceOf(ApiError);
        expect(thrown).toMatchObject({ status: 422, message: expect.stringMatching(/\.$/) });
      }),
      { numRuns: 2_000 },
    );
  });

  test('never repeats the value of a field', () => {
    const canary = 'canary-7f3a';
    for (const field of fields) {
      const thrown = thrownBy(sendRequest, { message: 'x', phone_destination: '6281234567890', [field]: canary });
      if (thrown instanceof ApiError) expect(thrown.message).not.toContain(canary);
    }
  });

  test.each([null, [], 'text', 7, true])('names the body when it is %j', (input) => {
    expect(thrownBy(sendRequest, input)).toMatchObject({ message: expect.stringMatching(/^the body: /) });
  });

  test('names a field inside a list with its position', () => {
    const nested = z.object({ messages: z.array(z.object({ to: z.string() })) });
    expect(thrownBy(nested, { messages: [{ to: 'a' }, {}] })).toMatchObject({
      message: 'messages[1].to: is required.',
    });
  });

  test('refuses __proto__ as a field', () => {
    const body = JSON.parse('{"message":"x","phone_destination":"6281234567890","__proto__":{"priority":"otp"}}');
    expect(thrownBy(sendRequest, body)).toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
