import { createSecretKey, hash } from 'node:crypto';
import { type SendInput, textContent } from '@kurir/contracts';
import { expect, test } from 'vitest';
import { fingerprintOf, hasFingerprint, messageAsked } from './fingerprint.js';

const key = createSecretKey(Buffer.alloc(32, 1));
const otherKey = createSecretKey(Buffer.alloc(32, 2));
const deviceId = 'dev_1';
const input: SendInput = {
  content: textContent('Kode: 493021'),
  recipient: '6281234567890',
  clientRef: 'order-1',
  priority: 'normal',
  category: 'transactional',
  ttlSeconds: null,
  sendAt: null,
};
const asked = (changes: Partial<SendInput> = {}, device: `dev_${string}` = deviceId) =>
  messageAsked({ deviceId: device, input: { ...input, ...changes } });
const first = fingerprintOf(key, asked(), 1);

test('the same request has the same fingerprint, whatever the order of its fields', () => {
  const { sendAt, content, ...rest } = input;
  expect(hasFingerprint(key, messageAsked({ deviceId, input: { sendAt, ...rest, content } }), first)).toBe(true);
});

test.each<[string, Partial<SendInput>]>([
  ['text', { content: textContent('Kode: 493022') }],
  ['recipient', { recipient: '6281234567891' }],
  ['client_ref', { clientRef: 'order-2' }],
  ['priority', { priority: 'bulk' }],
  ['time to live', { ttlSeconds: 60 }],
  ['time to send', { sendAt: new Date(0) }],
])('a request with another %s has another fingerprint', (_what, changes) => {
  expect(hasFingerprint(key, asked(changes), first)).toBe(false);
  expect(hasFingerprint(key, asked(changes), fingerprintOf(key, asked(), 0))).toBe(false);
});

test('a request with another category has another fingerprint', () => {
  expect(hasFingerprint(key, asked({ category: 'marketing' }), first)).toBe(false);
});

test('a message through another device, or of another account, is another one', () => {
  expect(hasFingerprint(key, asked({}, 'dev_2'), first)).toBe(false);
  expect(hasFingerprint(otherKey, asked(), first)).toBe(false);
});

test('the default lifetime of a code counts as absent, so that it may change without breaking repeats', () => {
  const code = fingerprintOf(key, asked({ priority: 'otp', category: 'authentication', ttlSeconds: 300 }), 1);
  expect(code).toEqual(fingerprintOf(key, { ...asked(), fields: { ...asked().fields, priority: 'otp' } }, 1));
});

test('a request is compared with a fingerprint of the earlier version', () => {
  const fields = ['dev_1', 'Kode: 493021', '6281234567890', 'order-1', 'normal', null, null];
  const stored = hash('sha256', JSON.stringify(fields), 'buffer');
  expect(fingerprintOf(key, asked(), 0)).toEqual(stored);
  expect(hasFingerprint(key, asked(), stored)).toBe(true);
});

test('a fingerprint of a later version matches no request', () => {
  const later = Buffer.from(first);
  later[0] = 2;
  expect(hasFingerprint(key, asked(), later)).toBe(false);
});
