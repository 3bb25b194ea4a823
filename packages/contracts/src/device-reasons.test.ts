import { expect, test } from 'vitest';
import { adviceOf, deviceReasons } from './device-reasons.js';
import { linkFailures } from './link-failures.js';

test('a failed link is told by its own words, and by a common sentence when nobody knows them', () => {
  for (const [word, sentence] of Object.entries(linkFailures)) expect(adviceOf('link_failed', word)).toBe(sentence);
  for (const word of [null, 'toString', 'who_knows'])
    expect(adviceOf('link_failed', word)).toBe(deviceReasons.link_failed);
});

test('a word of linking says nothing of another reason', () => {
  expect(adviceOf('temporarily_banned', 'passkey_required')).toBe(deviceReasons.temporarily_banned);
  expect(adviceOf(null, 'passkey_required')).toBeNull();
  expect(adviceOf('toString', null)).toBeNull();
});
