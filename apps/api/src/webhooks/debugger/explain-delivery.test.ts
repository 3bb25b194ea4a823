import { makeWebhookSecret, signWebhook } from '@kurir/signing';
import { describe, expect, test } from 'vitest';
import { explainDelivery, type Question, readHeaders } from './explain-delivery.js';

const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()];
const sentBody = '{"id":"evt_msg_1","data":{"status":"sent"}}';
const now = 1_763_690_000;
const signed = (by: string, body = sentBody, id = 'evt_msg_1') =>
  signWebhook([by], { id, timestamp: now, body })['webhook-signature'];

const right: Question = {
  id: 'evt_msg_1',
  timestamp: String(now),
  signature: signed(secret),
  body: sentBody,
  secret: null,
  secrets: [secret],
  otherSecrets: [other],
  sentBody,
  nowMs: now * 1_000,
};
const findingsOf = (change: Partial<Question>) => explainDelivery({ ...right, ...change }).findings;

test('a right delivery matches, also by the older of two secrets', () => {
  expect(explainDelivery(right)).toEqual({ matches: true, findings: ['all_right'] });
  expect(explainDelivery({ ...right, secrets: [makeWebhookSecret(), secret] }).matches).toBe(true);
});

describe('a delivery that does not fit', () => {
  test.each<[string, Partial<Question>, string[]]>([
    ['no headers', { id: '', timestamp: '', signature: '' }, ['id_missing', 'timestamp_missing', 'signature_missing']],
    ['a date as time', { timestamp: '2026-11-21' }, ['timestamp_malformed']],
    ['a signature without version', { signature: signed(secret).slice(3) }, ['signature_without_version']],
    ['an old time', { nowMs: (now + 301) * 1_000 }, ['all_right', 'timestamp_too_old']],
    ['a clock that is late', { nowMs: (now - 301) * 1_000 }, ['all_right', 'timestamp_too_old']],
    ['spaces around the body', { body: `${sentBody}\n` }, ['body_with_spaces']],
    ['a body that was written anew', { body: JSON.stringify(JSON.parse(sentBody), null, 2) }, ['body_reformatted']],
    ['no body', { body: '' }, ['body_left_out']],
    ['a changed body', { body: sentBody.replace('sent', 'read') }, ['body_changed']],
    ['the secret of another webhook', { signature: signed(other) }, ['secret_of_other_webhook']],
    ['an id of another delivery', { id: 'evt_msg_2', sentBody: null }, ['id_differs']],
    ['an event that is not ours', { signature: signed(makeWebhookSecret()), sentBody: null }, ['event_unknown']],
    ['a signature that nothing explains', { signature: 'v1,AAAA' }, ['unexplained']],
    ['an own secret that is none', { secret: 'secret' }, ['secret_malformed']],
    ['an own secret of another webhook', { secret: other }, ['secret_of_other_webhook']],
    ['an own secret that nobody knows', { secret: makeWebhookSecret() }, ['secret_unknown']],
    ['the right own secret without its prefix', { secret: secret.slice(6) }, ['all_right']],
  ])('%s', (_name, change, findings) => expect(findingsOf(change)).toEqual(findings));
});

test('headers are read from lines, from curl, from curl -v and from JSON', () => {
  const expected = { 'webhook-id': 'evt_1', 'webhook-timestamp': '17', 'webhook-signature': 'v1,a= v1,b=' };
  for (const text of [
    'Webhook-Id: evt_1\r\nWEBHOOK-TIMESTAMP: 17\r\nwebhook-signature: v1,a= v1,b=\r\n',
    `-H 'webhook-id: evt_1' \\\n-H 'webhook-timestamp: 17' \\\n-H "webhook-signature: v1,a= v1,b="`,
    '> webhook-id: evt_1\n> webhook-timestamp: 17\n> webhook-signature: v1,a= v1,b=',
    JSON.stringify({ 'Webhook-Id': 'evt_1', 'webhook-timestamp': 17, 'webhook-signature': ['v1,a= v1,b='] }),
  ])
    expect(readHeaders(text), text).toEqual(expected);
  expect(readHeaders('rubbish')).toEqual({ 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '' });
});
