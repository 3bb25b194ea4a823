import { expect, test } from 'vitest';
import { waitUntil } from './wait-until.js';

test('resolves with the first truthy answer', async () => {
  const answers = [0, '', null, 'there'];
  expect(await waitUntil(() => answers.shift(), { what: 'an answer', everyMs: 1 })).toBe('there');
});

test('an error counts as "not yet"', async () => {
  let calls = 0;
  const answer = await waitUntil(
    () => {
      calls += 1;
      if (calls < 3) throw new Error('not yet');
      return calls;
    },
    { what: 'the third call', everyMs: 1 },
  );
  expect(answer).toBe(3);
});

test('rejects at the deadline with the awaited state and the last error', async () => {
  const never = waitUntil(() => Promise.reject(new Error('still closed')), { what: 'the door opens', timeoutMs: 30 });
  await expect(never).rejects.toThrow('the door opens: not within 30 ms (still closed)');
});
