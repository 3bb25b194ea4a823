import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiError } from '../http/errors.js';
import { limits } from '../http/limits.js';
import { parseInput } from '../http/parse-input.js';
import { bulkRequest, type SendInput, sendRequest } from './send-request.js';

const least = { message: 'Kode Anda 493021', phone_destination: '6281234567890' };

const parse = (fields: object): SendInput => parseInput(sendRequest, { ...least, ...fields });

function refusal(input: unknown): Pick<ApiError, 'code' | 'message'> {
  try {
    parseInput(sendRequest, input);
  } catch (error) {
    // parseInput throws nothing else; parse-input.test.ts checks that.
    return error as ApiError;
  }
  throw new Error('the input was accepted');
}

describe('the text', () => {
  test.each([
    ['letters', 'x', 'xx'],
    ['emoji, two UTF-16 units each', '😀', '😀😀'],
  ])('may have 4,096 code points of %s and no more', (_what, one) => {
    expect(parse({ message: one.repeat(4096) }).content.text).toBe(one.repeat(4096));
    expect(refusal({ ...least, message: one.repeat(4097) })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/^message: .*4096/),
    });
  });

  test('counts code points as JavaScript does', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), fc.boolean(), (pairs, letters, tooMany) => {
        const fill = limits.messageMaxCodePoints - pairs - letters + (tooMany ? 1 : 0);
        const text = '😀'.repeat(pairs) + 'x'.repeat(letters) + 'é'.repeat(fill);
        expect(sendRequest.safeParse({ ...least, message: text }).success).toBe([...text].length <= 4096);
      }),
    );
  });

  test('must not be empty', () => {
    expect(refusal({ ...least, message: '' }).message).toBe('message: must not be empty.');
  });

  test.each([
    ['U+0000', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00a'],
    ['a surrogate pair the wrong way round', '\ude00\ud83d'],
  ])('with %s is refused', (_what, message) => {
    expect(refusal({ ...least, message })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/^message: /),
    });
  });

  test('is never trimmed or normalised', () => {
    for (const text of ['  kode \n', 'e\u0301', '\u00e9', '\u200b', ' '])
      expect(parse({ message: text }).content.text).toBe(text);
  });
});

describe('a send', () => {
  test('needs a text and a number, and names the missing field', () => {
    expect(refusal({ phone_destination: least.phone_destination })).toMatchObject({ message: 'message: is required.' });
    expect(refusal({ message: 'Halo' })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'phone_destination: is required, unless there is a conversation_id.',
    });
  });

  test('to an impossible number is refused with INVALID_PHONE_NUMBER, and the number is not repeated', () => {
    const refused = refusal({ ...least, phone_destination: '0877-9' });
    expect(refused).toMatchObject({
      code: 'INVALID_PHONE_NUMBER',
      message: expect.stringContaining('phone_destination'),
    });
    expect(refused.message).not.toContain('0877');
  });

  test('has priority normal, no reference, no expiry and no schedule by default', () => {
    expect(parse({})).toEqual({
      content: { kind: 'text', text: least.message },
      recipient: least.phone_destination,
      clientRef: null,
      priority: 'normal',
      category: 'transactional',
      ttlSeconds: null,
      sendAt: null,
    });
  });

  test('has a category, which depends on the priority by default', () => {
    expect(parse({ priority: 'otp' }).category).toBe('authentication');
    expect(parse({ priority: 'bulk' }).category).toBe('transactional');
    expect(parse({ priority: 'bulk', category: 'marketing' }).category).toBe('marketing');
    expect(refusal({ ...least, priority: 'otp', category: 'marketing' }).message).toMatch(/^category: /);
  });

  test('with priority otp expires after 300 s by default', () => {
    expect(parse({ priority: 'otp' }).ttlSeconds).toBe(300);
    expect(parse({ priority: 'otp', ttl_seconds: 30 }).ttlSeconds).toBe(30);
    expect(parse({ priority: 'bulk' }).ttlSeconds).toBeNull();
  });

  test.each([
    ['ttl_seconds', 29],
    ['ttl_seconds', 86_401],
    ['ttl_seconds', 60.5],
    ['ttl_seconds', '60'],
    ['priority', 'urgent'],
    ['category', 'promo'],
    ['client_ref', ''],
    ['client_ref', 'x'.repeat(65)],
    ['client_ref', 'a\u0000'],
    ['client_ref', null],
    ['send_at', '2026-11-21 09:00'],
    ['send_at', '2026-11-21T09:00:00'],
    ['send_at', 1_795_000_000],
    ['send_at', '+275760-09-13T00:00:00.001Z'],
  ])('with %s %j is refused and names the field', (field, value) => {
    expect(refusal({ ...least, [field]: value })).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(new RegExp(`^${field}: `)),
    });
  });

  test('may be scheduled 30 days ahead, but not 31', () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 60_000).toISOString();
    expect(parse({ send_at: inDays(30) }).sendAt).not.toBeNull();
    expect(refusal({ ...least, send_at: inDays(31) }).message).toMatch(/^send_at: .*30 days/);
  });

  test('accepts a time with any offset', () => {
    const at = new Date(Date.now() + 86_400_000);
    const inJakarta = new Date(at.getTime() + 7 * 3_600_000).toISOString().replace('Z', '+07:00');
    expect(parse({ send_at: inJakarta }).sendAt).toEqual(at);
  });

  test('refuses unknown fields by name', () => {
    expect(refusal({ ...least, mesage: 'x', 'tll "seconds"': 1 }).message).toBe(
      'Unknown field "mesage", "tll \\"seconds\\"". Perhaps you mean message and ttl_seconds.',
    );
  });

  test('names only the first of very many unknown fields', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field${i}`.padEnd(100, 'x'), i]));
    expect(refusal({ ...least, ...many }).message.length).toBeLessThan(1_000);
  });
});

test('a bulk may have 1 to 1,000 messages, valid or not', () => {
  expect(bulkRequest.safeParse({ messages: [] }).success).toBe(false);
  expect(bulkRequest.safeParse({ messages: Array.from({ length: 1001 }, () => least) }).success).toBe(false);
  expect(parseInput(bulkRequest, { messages: [null, 7, least] }).messages).toHaveLength(3);
});
