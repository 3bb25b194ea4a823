import { expect, test } from 'vitest';
import { namedAddressOf } from './named-host.js';

test.each([
  ['http://127.0.0.1:3000/app/security?a=1', 'http://localhost:3000/app/security?a=1'],
  ['http://[::1]:3000/app/sign-in', 'http://localhost:3000/app/sign-in'],
])('%s is also %s', (href, named) => expect(namedAddressOf(href)).toEqual({ kind: 'ip', named }));

test.each(['http://192.168.1.4:3000/app', 'http://[fe80::1]/app', 'https://10.0.0.1/app'])(
  '%s is an address without a name',
  (href) => expect(namedAddressOf(href)).toEqual({ kind: 'ip', named: null }),
);

test.each(['http://localhost:3000/app', 'https://kurir.example/app', 'https://1.2.3.4.example/app'])(
  '%s has a name',
  (href) => expect(namedAddressOf(href)).toEqual({ kind: 'name' }),
);
