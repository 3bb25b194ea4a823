import { createHmac, createSecretKey } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TicketFields, signTicket, verifyTicket } from './sign-ticket.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const job = {
  messageId: 'msg_01',
  deviceId: 'dev_01',
  priority: 'otp',
  expiresAtMs: 1_795_240_800_000,
  sendAtMs: null,
};

const someFields = fc.dictionary(
  fc.string({ maxLength: 8 }),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
  ),
  { noNullPrototype: false, maxKeys: 6 },
);

/** Returns the fields as Redis returns a job. */
function throughJson(fields: TicketFields): TicketFields {
  return JSON.parse(JSON.stringify(fields));
}

describe('a job that must not verify', () => {
  it.each<[string, TicketFields]>([
    ['a value changed', { ...job, deviceId: 'dev_02' }],
    ['a number became its text', { ...job, expiresAtMs: '1795240800000' }],
    ['null became its text', { ...job, sendAtMs: 'null' }],
    ['null became zero', { ...job, sendAtMs: 0 }],
    ['null became empty', { ...job, sendAtMs: '' }],
    ['a field was added', { ...job, extra: null }],
    ['text moved over the border of two fields', { ...job, deviceId: 'dev_0', priority: '1otp' }],
    ['two values were swapped', { ...job, deviceId: job.messageId, messageId: job.deviceId }],
    ['nothing is left', {}],
  ])('is one where %s', (_, changed) => {
    expect(verifyTicket(changed, signTicket(job, key), [key])).toBe(false);
  });

  it('is one without one of its fields', () => {
    const { sendAtMs: _, ...rest } = job;
    expect(verifyTicket(rest, signTicket(job, key), [key])).toBe(false);
  });

  it('is one signed with another key', () => {
    expect(verifyTicket(job, signTicket(job, otherKey), [key])).toBe(false);
  });

  it('is one with any other signature, without an error', () => {
    const good = signTicket(job, key);
    for (const text of ['', good.slice(1), `${good}=`, `${good}A`, '€'.repeat(8), `é${good.slice(2)}`]) {
      expect(verifyTicket(job, text, [key])).toBe(false);
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !verifyTicket(job, text, [key])));
    fc.assert(
      fc.property(fc.base64String({ minLength: 24, maxLength: 24 }), (text) => !verifyTicket(job, text, [key])),
    );
  });

  it('is any record except the signed one', () => {
    fc.assert(
      fc.property(someFields, someFields, (signed, shown) => {
        const same = isDeepStrictEqual(throughJson(signed), throughJson(shown));
        expect(verifyTicket(shown, signTicket(signed, key), [key])).toBe(same);
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, undefined, {}, 1n, true])(
    'holds %s, which JSON would take for something else: it is not signed either, and the error names the field',
    (value) => {
      // The types forbid such a value, but a job from Redis need not follow the types. So the test casts through
      // `unknown`.
      const fields = { ...job, ttlMs: value } as unknown as TicketFields;
      expect(() => signTicket(fields, key)).toThrow(/ttlMs/);
      expect(verifyTicket(fields, signTicket({ ...job, ttlMs: null }, key), [key])).toBe(false);
    },
  );
});

describe('a job that verifies', () => {
  it('may have its fields in any order', () => {
    fc.assert(
      fc.property(someFields, (fields) => {
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        expect(verifyTicket(reversed, signTicket(fields, key), [key])).toBe(true);
      }),
    );
  });

  it('may have been JSON, as Redis stores it', () => {
    fc.assert(fc.property(someFields, (fields) => verifyTicket(throughJson(fields), signTicket(fields, key), [key])));
  });

  it('has a signature of 144 bits of HMAC-SHA256 over the documented text', () => {
    const text = '["kurir-job",[["a",1],["b","x"],["c",null]]]';
    const mac = createHmac('sha256', key).update(text).digest().subarray(0, 18).toString('base64url');
    expect(signTicket({ c: null, b: 'x', a: 1 }, key)).toBe(mac);
  });
});
