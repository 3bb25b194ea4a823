import { describe, expect, test } from 'vitest';
import { createDeviceRequest, linkDeviceRequest, updateDeviceRequest } from './device-requests.js';
import { parseInput } from '../http/parse-input.js';

describe('creating a device', () => {
  test('needs only a name, and means WhatsApp by default', () => {
    expect(parseInput(createDeviceRequest, { name: ' Toko 1 ' })).toEqual({
      name: ' Toko 1 ',
      network: 'whatsapp',
      clientRef: null,
    });
  });

  test.each([
    [{ name: 'a', network: 'simulator', pace_per_minute: 600 }, 600],
    [{ name: 'a'.repeat(64), network: 'simulator', pace_per_minute: null }, null],
  ])('accepts %j', (body, pacePerMinute) => {
    expect(parseInput(createDeviceRequest, body)).toEqual({
      clientRef: null,
      name: body.name,
      network: 'simulator',
      pacePerMinute,
    });
  });

  test.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(65) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'a\ud83d' }, 'name'],
    [{ name: 'a', network: 'telegram' }, 'network'],
    [{ name: 'a', pace_per_minute: 0 }, 'pace_per_minute'],
    [{ name: 'a', pace_per_minute: 601 }, 'pace_per_minute'],
    [{ name: 'a', pace_per_minute: 1.5 }, 'pace_per_minute'],
    [{ name: 'a', pace_per_minute: '5' }, 'pace_per_minute'],
    [{ name: 'a', account_id: 'acc_1' }, '"account_id"'],
  ])('refuses %j and names the field', (body, field) => {
    const refusal = { code: 'INVALID_REQUEST', message: expect.stringContaining(field) };
    expect(() => parseInput(createDeviceRequest, body)).toThrow(expect.objectContaining(refusal));
  });
});

describe('linking a device', () => {
  test.each([
    [{}, { method: 'qr', phoneNumber: null }],
    [{ method: 'qr' }, { method: 'qr', phoneNumber: null }],
    [
      { method: 'pairing_code', phone_number: '6281234567890' },
      { method: 'pairing_code', phoneNumber: '6281234567890' },
    ],
  ])('accepts %j', (body, input) => {
    expect(parseInput(linkDeviceRequest, body)).toEqual(input);
  });

  test.each([
    [{ method: 'nfc' }, 'INVALID_REQUEST', 'method'],
    [{ method: 'pairing_code' }, 'INVALID_REQUEST', 'phone_number: is required'],
    [{ method: 'qr', phone_number: '6281234567890' }, 'INVALID_REQUEST', 'phone_number: goes only with'],
    [{ method: 'pairing_code', phone_number: '0812' }, 'INVALID_PHONE_NUMBER', 'phone_number'],
    [{ phone: '6281234567890' }, 'INVALID_REQUEST', '"phone"'],
  ])('refuses %j', (body, code, sentence) => {
    const refusal = { code, message: expect.stringContaining(sentence) };
    expect(() => parseInput(linkDeviceRequest, body)).toThrow(expect.objectContaining(refusal));
  });
});

describe('changing a device', () => {
  const parse = (body: unknown) => parseInput(updateDeviceRequest, body);

  test('keeps settings that are left out, and null is a value', () => {
    expect(parse({ pace_per_minute: null, typing_ms: 0, proxy: null })).toEqual({
      pacePerMinute: null,
      typingMs: 0,
      proxyUrl: null,
    });
  });

  test.each(['socks5://proxy.example.com', 'socks5://user:pa%20ss@10.0.0.1:1080', 'http://[::1]:3128/'])(
    'accepts the proxy %s',
    (proxy) => {
      expect(parse({ proxy }).proxyUrl).toBe(proxy);
    },
  );

  test.each([
    'socks4://host:1080',
    'https://host:443',
    'socks5://',
    'host:1080',
    'http://host:3128/path',
    'http://host:3128/?q=secret',
    'http://ho st',
    `http://${'h'.repeat(600)}`,
  ])('refuses the proxy %s and does not repeat it', (proxy) => {
    expect(() => parse({ proxy })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    expect(() => parse({ proxy })).not.toThrow(`: ${proxy}`);
  });

  test.each([
    [{ new_contacts_per_day: 5 }, 5],
    [{ new_contacts_per_day: null }, null],
    [{ new_contacts_policy: 'fixed', new_contacts_per_day: 5 }, 5],
    [{ new_contacts_policy: 'unlimited' }, null],
    [{ new_contacts_policy: 'unlimited', new_contacts_per_day: null }, null],
    [{ new_contacts_policy: 'automatic' }, 'automatic'],
    // The body repeats the values of an answer.
    [{ new_contacts_policy: 'automatic', new_contacts_per_day: 30 }, 'automatic'],
    [{ name: 'Shop' }, undefined],
  ])('reads the limit from %j, with or without a policy', (body, newContactsPerDay) => {
    expect(parse(body)).toMatchObject({ newContactsPerDay });
  });

  test('says whether the limit came with a policy', () => {
    const said = [{}, { new_contacts_policy: 'fixed' }].map((policy) => parse({ new_contacts_per_day: 5, ...policy }));
    expect(said).toMatchObject([{ isPolicySaid: false }, { isPolicySaid: true }]);
  });

  test.each([
    [{}, 'at least one'],
    [{ pace_per_minute: 0 }, 'pace_per_minute'],
    [{ pace_jitter_ms: 5_001 }, 'pace_jitter_ms'],
    [{ typing_ms: -1 }, 'typing_ms'],
    [{ new_contacts_per_day: 1.5 }, 'new_contacts_per_day'],
    [{ new_contacts_policy: 'fixed' }, 'new_contacts_per_day: must be a number'],
    [{ new_contacts_policy: 'fixed', new_contacts_per_day: null }, 'new_contacts_per_day: must be a number'],
    [{ new_contacts_policy: 'unlimited', new_contacts_per_day: 5 }, 'new_contacts_per_day: must be left out with'],
    [{ new_contacts_policy: 'strict' }, 'new_contacts_policy'],
    [{ network: 'simulator' }, 'Unknown field "network"'],
  ])('refuses %j and names the field', (body, named) => {
    expect(() => parse(body)).toThrow(named);
  });
});
