import { expect, test } from 'vitest';
import { adviceOf, deviceReasons } from './device-reasons.js';
import { linkFailures } from './link-failures.js';

test('a reason has advice, and an unknown word has none', () => {
  for (const [reason, advice] of Object.entries(deviceReasons)) expect(adviceOf(reason, null)).toBe(advice);
  expect(['nonsense', 'toString', null].map((reason) => adviceOf(reason, null))).toEqual([null, null, null]);
});

test('a failed link has its own advice, or a general sentence for an unknown word', () => {
  for (const [word, sentence] of Object.entries(linkFailures)) expect(adviceOf('link_failed', word)).toBe(sentence);
  for (const word of [null, 'toString', 'who_knows'])
    expect(adviceOf('link_failed', word)).toBe(deviceReasons.link_failed);
});

test('a word of a failed link does not change the advice of another reason', () => {
  expect(adviceOf('temporarily_banned', 'passkey_required')).toBe(deviceReasons.temporarily_banned);
  expect(adviceOf(null, 'passkey_required')).toBeNull();
  expect(adviceOf('toString', null)).toBeNull();
});

test('the advice for a refused version names the version, its age and who does what', () => {
  const advice = adviceOf('client_outdated', '2.3000.7', 125);
  expect(advice).toMatch(/^The network refuses version 2\.3000\.7 \(known here for 125 days\) of its client\./);
  expect(advice).toMatch(/looks for a newer one by itself and connects with it at once/);
  expect(advice).toMatch(/sets KURIR_WHATSAPP_VERSION/);
  expect(adviceOf('client_outdated', '2.3000.7', 1)).toContain('for 1 day)');
  expect(adviceOf('client_outdated', '2.3000.7')).toContain('version 2.3000.7 of');
});
