import { expect, test } from 'vitest';
import { adviceOf, deviceReasons } from './device-reasons.js';

test('a reason has advice; a word that is none of ours has none', () => {
  for (const [reason, advice] of Object.entries(deviceReasons)) expect(adviceOf(reason)).toBe(advice);
  expect([adviceOf(null), adviceOf('nonsense'), adviceOf('toString')]).toEqual([null, null, null]);
});

test('of a refused version it names the version, its age and who does what', () => {
  const advice = adviceOf('client_outdated', '2.3000.7', 125);
  expect(advice).toMatch(/^The network refuses version 2\.3000\.7 \(known here for 125 days\) of its client\./);
  expect(advice).toMatch(/looks for a newer one by itself and connects with it at once/);
  expect(advice).toMatch(/sets KURIR_WHATSAPP_VERSION/);
  expect(adviceOf('client_outdated', '2.3000.7', 1)).toContain('for 1 day)');
  expect(adviceOf('client_outdated', '2.3000.7')).toContain('version 2.3000.7 of');
});

test('of linking that was refused for it, it says to try again', () => {
  expect(adviceOf('link_failed', 'client_outdated')).toContain('try again in some minutes');
  expect(adviceOf('link_failed', 'connection_lost')).toBe(deviceReasons.link_failed);
});
