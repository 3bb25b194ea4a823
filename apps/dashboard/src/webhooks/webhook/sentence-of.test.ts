import { expect, test } from 'vitest';
import { sentenceOf } from './sentence-of.js';
import { deliveryTexts } from './texts.js';

const t = deliveryTexts.en;

test('a failed attempt has a sentence that fits its error or its status', () => {
  expect(sentenceOf({ outcome: 'delivered', error: null, status: 200 }, t)).toBeNull();
  expect(sentenceOf({ outcome: 'retrying', error: 'tls', status: null }, t)).toBe(t.errors.tls);
  expect(sentenceOf({ outcome: 'retrying', error: null, status: 500 }, t)).toBe(t.wrongStatus);
  for (const status of [401, 403]) expect(sentenceOf({ outcome: 'failed', error: null, status }, t)).toBe(t.notTrusted);
});

test('an error of a newer gateway is shown as it is', () => {
  expect(sentenceOf({ outcome: 'failed', error: 'eclipse', status: null }, t)).toBe('eclipse');
});
