import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@kurir/contracts';
import { signTicket } from '@kurir/signing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTicket, encodeTicket, type Ticket } from './ticket.js';

const key = createSecretKey(randomBytes(32));

const ticket: Ticket = { messageId: newId('msg'), deviceId: newId('dev'), priority: 1, requestId: newId('req') };

describe('a ticket', () => {
  test('comes back from Redis unchanged, whatever the order of its fields', () => {
    const data = JSON.parse(JSON.stringify(encodeTicket(ticket, key)));
    expect(decodeTicket(data, key)).toEqual(ticket);
    expect(decodeTicket(Object.fromEntries(Object.entries(data).toReversed()), key)).toEqual(ticket);
  });

  test('of an earlier version with more signed fields is still valid', () => {
    const { sig: _sig, ...fields } = encodeTicket(ticket, key);
    const older = { ...fields, s: '4611686018427387904', x: null };
    expect(decodeTicket({ ...older, sig: signTicket(older, key) }, key)).toEqual(ticket);
  });

  test.each([
    ['m', newId('msg')],
    ['d', newId('dev')],
    ['p', 0],
    ['r', 'req_other'],
    ['sig', encodeTicket({ ...ticket, priority: 0 }, key).sig],
    ['sig', ''],
  ])('whose field %s was changed to %j is refused', (field, value) => {
    expect(decodeTicket({ ...encodeTicket(ticket, key), [field]: value }, key)).toBeNull();
  });

  test('with one field more or one field less is refused', () => {
    const { r: _requestId, ...less } = encodeTicket(ticket, key);
    expect(decodeTicket(less, key)).toBeNull();
    expect(decodeTicket({ ...encodeTicket(ticket, key), text: 'x' }, key)).toBeNull();
  });

  test('signed with another key is refused', () => {
    const stranger = createSecretKey(randomBytes(32));
    expect(decodeTicket(encodeTicket(ticket, stranger), key)).toBeNull();
  });

  test('of any other content is refused without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        expect(decodeTicket(data, key)).toBeNull();
      }),
    );
  });

  test('contains its message, device, priority and request, and nothing else', () => {
    expect(Object.keys(encodeTicket(ticket, key)).toSorted()).toEqual(['d', 'm', 'p', 'r', 'sig']);
  });
});
