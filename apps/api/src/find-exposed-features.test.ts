import { expect, test } from 'vitest';
import { findExposedFeatures } from './find-exposed-features.js';

type Given = Partial<Parameters<typeof findExposedFeatures>[0]>;

const faultsOf = (given: Given) =>
  findExposedFeatures({
    NODE_ENV: 'development',
    KURIR_HOST: '127.0.0.1',
    KURIR_PUBLIC_URL: undefined,
    KURIR_SIMULATOR_URL: undefined,
    KURIR_SMTP_URL: undefined,
    KURIR_SANDBOX_PAYMENTS: undefined,
    ...given,
  }).map((fault) => /KURIR_PUBLIC_URL begins|NODE_ENV is not set|mailbox|without money|simulated/.exec(fault)?.[0]);

const simulated = { KURIR_SIMULATOR_URL: 'http://127.0.0.1:3002' };
const withMails = { KURIR_PUBLIC_URL: 'https://kurir.example', KURIR_SMTP_URL: 'smtp://mail.example' };
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
  ['a forgotten NODE_ENV on this machine', { NODE_ENV: undefined }, []],
  [
    'a forgotten NODE_ENV on all addresses',
    { NODE_ENV: undefined, KURIR_HOST: '0.0.0.0' },
    ['NODE_ENV is not set', 'mailbox', 'without money'],
  ],
  [
    'a forgotten NODE_ENV behind https',
    { NODE_ENV: undefined, KURIR_PUBLIC_URL: 'https://kurir.example' },
    ['NODE_ENV is not set', 'mailbox', 'without money'],
  ],
  [
    'a forgotten NODE_ENV behind https, with everything else set',
    { ...withMails, NODE_ENV: undefined, KURIR_SANDBOX_PAYMENTS: false },
    ['NODE_ENV is not set'],
  ],
  ['development on all addresses', { KURIR_HOST: '0.0.0.0' }, ['mailbox', 'without money']],
  ['development behind https', { KURIR_PUBLIC_URL: 'https://kurir.example' }, ['mailbox', 'without money']],
  ['IPv6 loopback as the public address', { KURIR_PUBLIC_URL: 'http://[::1]:3000' }, []],
  ['the rooted name of loopback', { KURIR_PUBLIC_URL: 'http://localhost.:3000' }, []],
  [
    'all addresses of IPv6',
    { ...production, KURIR_HOST: '::', KURIR_PUBLIC_URL: 'http://[::]:3000' },
    ['KURIR_PUBLIC_URL begins'],
  ],
  [
    'another address over IPv6 and http',
    { ...production, KURIR_PUBLIC_URL: 'http://[2001:db8::1]' },
    ['KURIR_PUBLIC_URL begins'],
  ],
  ['the simulated network on this machine', simulated, []],
  [
    'the simulated network in a container published on this machine',
    {
      ...production,
      ...simulated,
      KURIR_PUBLIC_URL: 'http://127.0.0.1:3000',
    },
    [],
  ],
  ['the simulated network on all addresses', { ...production, ...simulated }, ['simulated']],
  [
    'the simulated network behind https',
    {
      ...production,
      ...simulated,
      KURIR_HOST: '127.0.0.1',
      KURIR_PUBLIC_URL: 'https://kurir.example',
    },
    ['simulated'],
  ],
  ['development with a mail server behind https', { ...withMails, KURIR_SANDBOX_PAYMENTS: false }, []],
  [
    'a name that only begins like loopback',
    { KURIR_PUBLIC_URL: 'https://127.0.0.1.evil.example' },
    ['mailbox', 'without money'],
  ],
])('%s', (_, given, expected) => expect(faultsOf(given)).toEqual(expected));
