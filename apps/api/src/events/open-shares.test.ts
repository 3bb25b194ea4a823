import { expect, test } from 'vitest';
import { createOpenShares } from './open-shares.js';

test('an owner gets no more than the share, others have their own, and what is closed makes room', () => {
  const shares = createOpenShares(2, 'Close some.');
  const leave = shares.enter('a');
  shares.enter('a');
  expect(() => shares.enter('a')).toThrow('Close some.');
  shares.enter('b');
  leave();
  shares.enter('a');
  expect(() => shares.enter('a')).toThrow('Close some.');
});
