import { expect, test } from 'vitest';
import { faultOf } from './check-request.js';

const credentials = { apiKey: 'kk_test_abc', apiSecret: 'ks_test_abc' };
const request = { method: 'POST', target: '/api/v1/messages/send', deviceId: 'dev_1', body: '{"a": 1}' };

test('a whole request of a test key can be sent', () => expect(faultOf(request, credentials)).toBeNull());

test.each([
  ['a live key', request, { ...credentials, apiKey: 'kk_live_abc' }, 'no live key'],
  ['a live secret', request, { ...credentials, apiSecret: 'ks_live_abc' }, 'the secret of the test key'],
  ['another host', { ...request, target: '//evil.example/api/v1/' }, credentials, 'begins with /api/v1/'],
  ['a space', { ...request, target: '/api/v1/messages/a b' }, credentials, 'no spaces'],
  ['no JSON', { ...request, body: '{a}' }, credentials, 'not valid JSON'],
] as const)('%s cannot be sent', (_, asked, given, sentence) => {
  expect(faultOf(asked, given)).toContain(sentence);
});
