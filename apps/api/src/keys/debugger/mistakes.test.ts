import { expect, test } from 'vitest';
import { wrongTexts } from './mistakes.js';

const signed = {
  method: 'POST',
  target: '/api/v1/messages/send',
  timestamp: '1763690000',
  scheme: 1 as const,
  deviceId: null,
  idempotencyKey: null,
};
const rewrite = (body: string) => wrongTexts.body_reformatted?.({ ...signed, body }, 'https://gateway.example.com');

test('a body is compared with other layouts of the same JSON', () => {
  expect(rewrite('{"to":["a", "b"]}')).toHaveLength(4);
});

test('a deeply nested body is not compared, because indentation would make it huge', () => {
  const depth = 3_000;
  expect(rewrite(`${'['.repeat(depth)}${'1,'.repeat(1_000)}1${']'.repeat(depth)}`)).toEqual([]);
});
