import { expect, test } from 'vitest';
import { findExposedFeatures } from './find-exposed-features.js';

type Given = Partial<Parameters<typeof findExposedFeatures>[0]>;

const faultsOf = (given: Given) =>
  findExposedFeatures({
    NODE_ENV: 'development',
    KURIR_HOST: '127.0.0.1',
    KURIR_PUBLIC_URL: undefined,
    KURIR_SMTP_URL: undefined,
    KURIR_SANDBOX_PAYMENTS: undefined,
    ...given,
  }).map((fault) => /KURIR_PUBLIC_URL begins|mailbox|without money/.exec(fault)?.[0]);

const production = { NODE_ENV: 'production', KURIR_HOST: '0.0.0.0' } as const;

test.each<[string, Given, string[]]>([
  ['a development run on this machine', {}, []],
  ['localhost as the public address', { KURIR_PUBLIC_URL: 'http://localhost:3000' }, []],
  ['IPv6 loopback', { KURIR_HOST: '::1' }, []],
  ['production without a public address', production, []],
  ['production behind https', { ...production, KURIR_PUBLIC_URL: 'https://kurir.example' }, []],
  ['production behind http', { ...production, KURIR_PUBLIC_URL: 'http://kurir.example' }, ['KURIR_PUBLIC_URL begins']],
  ['sandbox payments in production', { ...production, KURIR_SANDBOX_PAYMENTS: true }, ['without money']],
  [
    'sandbox payments in production on this machine',
    { ...production, KURIR_HOST: '127.0.0.1', KURIR_SANDBOX_PAYMENTS: true },
    [],
  ],
  [
    'production on all addresses, published on this machine',
    { ...production, KURIR_PUBLIC_URL: 'http://127.0.0.1:3000' },
    [],
  ],
  [
    'development on all addresses, called by loopback',
    { KURIR_HOST: '0.0.0.0', KURIR_PUBLIC_URL: 'http://127.0.0.1:3000' },
    ['mailbox', 'without money'],
  ],
  ['a forgotten NODE_ENV on all addresses', { KURIR_HOST: '0.0.0.0' }, ['mailbox', 'without money']],
  ['a forgotten NODE_ENV behind https', { KURIR_PUBLIC_URL: 'https://kurir.example' }, ['mailbox', 'without money']],
  [
    'development with a mail server behind https',
    { KURIR_PUBLIC_URL: 'https://kurir.example', KURIR_SMTP_URL: 'smtp://mail.example', KURIR_SANDBOX_PAYMENTS: false },
    [],
  ],
  [
    'a name that only begins like loopback',
    { KURIR_PUBLIC_URL: 'https://127.0.0.1.evil.example' },
    ['mailbox', 'without money'],
  ],
])('%s', (_, given, expected) => expect(faultsOf(given)).toEqual(expected));
