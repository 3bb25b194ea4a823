import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { publicOperations, publicOperationNames } from '../operations/route-table.js';
import type { PublicOperation } from './operation-entry.js';
import { ApiError } from './errors.js';
import { type FieldFault, readFault, writeFault } from './field-rules.js';
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

  test.each([
    [z.object({ to: z.string() }), {}, 'to: is required.', { rule: 'required' }],
    [z.object({ to: z.enum(['queued', 'sent']) }), {}, 'to: is required.', { rule: 'required' }],
    [z.object({ to: z.enum(['queued', 'sent']) }), { to: 'x' }, 'to: must be one of queued, sent.', { rule: 'choice' }],
    [z.object({ to: z.string() }), { to: 1 }, 'to: must be a string.', { rule: 'type' }],
    [z.object({ to: z.int() }), { to: 1.5 }, 'to: must be a whole number.', { rule: 'whole_number' }],
    [z.object({ to: z.int().max(600) }), { to: 601 }, 'to: must be at most 600.', { rule: 'too_high', limit: 600 }],
    [z.object({ to: z.int().min(30) }), { to: 1 }, 'to: must be at least 30.', { rule: 'too_low', limit: 30 }],
    [z.object({ to: z.string().min(1) }), { to: '' }, 'to: must not be empty.', { rule: 'too_short', limit: 1 }],
    [
      z.object({ to: z.string().max(2) }),
      { to: 'abc' },
      'to: must have at most 2 characters.',
      { rule: 'too_long', limit: 2 },
    ],
    [
      z.object({ to: z.array(z.string()).max(1) }),
      { to: ['a', 'b'] },
      'to: must have at most 1 item.',
      { rule: 'too_many', limit: 1 },
    ],
    [z.object({ to: z.email() }), { to: 'x' }, 'to: must be an email address.', { rule: 'email' }],
    [z.object({ to: z.url() }), { to: 'x' }, 'to: must be a URL.', { rule: 'address' }],
  ] as const)('says in its own words what is wrong, and names the rule: %#', (schema, input, message, fault) => {
    expect(thrownBy(schema, input)).toMatchObject({ message, fault: { field: 'to', ...fault } });
  });

  test('never speaks with the words of the validator', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(...schemas), (input, schema) => {
        const thrown = thrownBy(schema, JSON.parse(JSON.stringify(input)));
        if (thrown instanceof ApiError)
          expect(thrown.message).not.toMatch(/Invalid |Too (big|small)|expected|received/);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the header that names a wrong field', () => {
  test('is read as it was written', () => {
    const fault: FieldFault = { field: 'messages[3].to', rule: 'too_high', limit: 600 };
    expect(readFault(writeFault(fault))).toEqual(fault);
    expect(readFault(writeFault({ field: '', rule: 'other' }))).toEqual({ field: '', rule: 'other' });
  });

  test('holds only plain characters, however odd and long the name of the field is', () => {
    expect(writeFault({ field: `\r\nSet-Cookie: ${'é'.repeat(9_000)}`, rule: 'unknown' })).toMatch(
      /^[\w%+=&.*-]{1,999}$/,
    );
  });

  test.each([null, '', 'field=a', 'field=a&rule=toString'])('names nothing if it is %j', (header) => {
    expect(readFault(header)).toBeNull();
  });
});
