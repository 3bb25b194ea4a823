import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@kurir/contracts';
import { signTicket } from '@kurir/signing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTicket, encodeTicket, type Ticket } from './ticket.js';

const key = createSecretKey(randomBytes(32));
const keys = [key] as const;

const ticket: Ticket = { messageId: newId('msg'), deviceId: newId('dev'), priority: 1, requestId: newId('req') };

describe('a ticket', () => {
  test('comes back from Redis unchanged, whatever the order of its fields', () => {
    const data = JSON.parse(JSON.stringify(encodeTicket(ticket, keys)));
    expect(decodeTicket(data, keys)).toEqual(ticket);
    expect(decodeTicket(Object.fromEntries(Object.entries(data).toReversed()), keys)).toEqual(ticket);
  });

  test('of an earlier version with more signed fields is still valid', () => {
    const { sig: _sig, ...fields } = encodeTicket(ticket, keys);
    const older = { ...fields, s: '4611686018427387904', x: null };
    expect(decodeTicket({ ...older, sig: signTicket(older, key) }, keys)).toEqual(ticket);
  });

  test.each([
    ['m', newId('msg')],
    ['d', newId('dev')],
    ['p', 0],
    ['r', 'req_other'],
    ['sig', encodeTicket({ ...ticket, priority: 0 }, keys).sig],
    ['sig', ''],
  ])('whose field %s was changed to %j is refused', (field, value) => {
    expect(decodeTicket({ ...encodeTicket(ticket, keys), [field]: value }, keys)).toBeNull();
  });

  test('with one field more or one field less is refused', () => {
    const { r: _requestId, ...less } = encodeTicket(ticket, keys);
    expect(decodeTicket(less, keys)).toBeNull();
    expect(decodeTicket({ ...encodeTicket(ticket, keys), text: 'x' }, keys)).toBeNull();
  });

  test('is valid while the internal key is changed, whichever of the two keys signed it', () => {
    const next = createSecretKey(randomBytes(32));
    expect(decodeTicket(encodeTicket(ticket, [key, next]), [next, key])).toEqual(ticket);
    expect(decodeTicket(encodeTicket(ticket, [next, key]), [key, next])).toEqual(ticket);
    expect(decodeTicket(encodeTicket(ticket, [next, key]), keys)).toBeNull();
  });

  test('signed with another key is refused', () => {
    const stranger = createSecretKey(randomBytes(32));
    expect(decodeTicket(encodeTicket(ticket, [stranger]), keys)).toBeNull();
  });

  test('of any other content is refused without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(decodeTicket(data, keys)).toBeNull();
      }),
    );
  });

  test('contains its message, device, priority and request, and nothing else', () => {
    expect(Object.keys(encodeTicket(ticket, keys)).toSorted()).toEqual(['d', 'm', 'p', 'r', 'sig']);
  });
});
