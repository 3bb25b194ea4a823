/** Tests of signed webhooks, with a vector that openssl computed. */
import { expect, test } from 'vitest';
import { makeWebhookSecret, signWebhook, verifyWebhook } from './webhooks.js';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"test": 2432232314}';
const webhook = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body };
const vector = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const now = webhook.timestamp * 1_000;

test('the signature is the one of the specification', () => {
  expect(signWebhook([secret], webhook)).toEqual({
    'webhook-id': webhook.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': vector,
  });
});

test('each of two live secrets verifies, text and bytes alike', () => {
  const next = makeWebhookSecret();
  const headers = signWebhook([next, secret], webhook);
  for (const known of [next, secret]) {
    expect(verifyWebhook([known], headers, body, now)).toBe('valid');
    expect(verifyWebhook([known], headers, Buffer.from(body), now)).toBe('valid');
  }
  expect(verifyWebhook([makeWebhookSecret()], headers, body, now)).toBe('wrong_signature');
  expect(verifyWebhook([makeWebhookSecret(), next], headers, body, now)).toBe('valid');
});

test('a changed body, id or time is wrong', () => {
  const headers = signWebhook([secret], webhook);
  expect(verifyWebhook([secret], headers, `${body} `, now)).toBe('wrong_signature');
  expect(verifyWebhook([secret], { ...headers, 'webhook-id': 'other' }, body, now)).toBe('wrong_signature');
  expect(verifyWebhook([secret], { ...headers, 'webhook-timestamp': '1614265331' }, body, now)).toBe('wrong_signature');
});

test('a webhook of more than five minutes ago or ahead is too old', () => {
  const headers = signWebhook([secret], webhook);
  expect(verifyWebhook([secret], headers, body, now + 300_000)).toBe('valid');
  expect(verifyWebhook([secret], headers, body, now + 301_000)).toBe('too_old');
  expect(verifyWebhook([secret], headers, body, now - 301_000)).toBe('too_old');
});

test.each([
  [{}],
  [{ 'webhook-id': 'a', 'webhook-timestamp': 'now', 'webhook-signature': vector }],
  [{ 'webhook-id': 'a', 'webhook-timestamp': '1614265330' }],
])('headers without all three parts are malformed', (headers) => {
  expect(verifyWebhook([secret], headers, body, now)).toBe('malformed');
});

test.each(['', 'v1', 'v1,', 'v1a,AAAA', 'v1,AAAA', 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='])(
  'the signature %j is refused',
  (signature) => {
    expect(
      verifyWebhook([secret], { ...signWebhook([secret], webhook), 'webhook-signature': signature }, body, now),
    ).not.toBe('valid');
  },
);

test('a text that is no secret is refused without showing it', () => {
  for (const text of ['', 'whsec_', 'whsec_short', 'whsec_nöt base64 at all, but long enough for it'])
    expect(() => signWebhook([text], webhook)).toThrow(/^a webhook secret is whsec_ and 24 to 64 bytes of base64$/);
});
