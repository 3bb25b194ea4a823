import { describe, expect, test } from 'vitest';
import { formatTraceparent, isSampled, logIdsOf, parseTraceparent } from './traceparent.js';

// The examples of W3C Trace Context, section 3.2.
const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
const sampled = `00-${traceId}-${spanId}-01`;

describe('a traceparent', () => {
  test('names a span, and says whether it is sampled', () => {
    const span = parseTraceparent(sampled);
    expect(span).toEqual({ traceId, spanId, traceFlags: 1, isRemote: true });
    expect(span !== null && isSampled(span)).toBe(true);
    const unsampled = parseTraceparent(`00-${traceId}-${spanId}-00`);
    expect(unsampled !== null && isSampled(unsampled)).toBe(false);
  });

  test('is written as it was read, without flags that we do not know', () => {
    for (const [given, written] of [
      [sampled, sampled],
      [`00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-00`],
      [`00-${traceId}-${spanId}-03`, sampled],
      [`00-${traceId}-${spanId}-fe`, `00-${traceId}-${spanId}-00`],
    ] as const) {
      const span = parseTraceparent(given);
      expect(span === null ? null : formatTraceparent(span)).toBe(written);
    }
  });

  test('of a later version may have more fields', () => {
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`)).toMatchObject({
      traceId,
      spanId,
    });
    expect(parseTraceparent(`cc-${traceId}-${spanId}-01`)).toMatchObject({ traceId, spanId });
  });

  test.each([
    '',
    'traceparent',
    `${sampled}-more`,
    `${sampled} `,
    `ff-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-01.what`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId.slice(1)}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    `${sampled}, ${sampled}`,
  ])('that is not valid names nothing (%#)', (text) => {
    expect(parseTraceparent(text)).toBeNull();
    expect(logIdsOf(text)).toEqual({});
  });
});

test('the fields of a log line are the ids of the span, or none', () => {
  expect(logIdsOf(sampled)).toEqual({ trace_id: traceId, span_id: spanId });
  expect(logIdsOf(null)).toEqual({});
  expect(logIdsOf(undefined)).toEqual({});
});
