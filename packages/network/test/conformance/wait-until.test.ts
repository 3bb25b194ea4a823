import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.js';

test('waiting for what never happens rejects at the deadline and says what it waited for', async () => {
  await expect(waitUntil('pigs fly', () => false, 20)).rejects.toThrow('after 20 ms it is still not so that pigs fly');
});

test('a condition that throws ends the waiting at once', async () => {
  await expect(waitUntil('it holds', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('a condition that holds later is waited for', async () => {
  let asked = 0;
  await waitUntil('it was asked three times', () => ++asked === 3);
  expect(asked).toBe(3);
});
