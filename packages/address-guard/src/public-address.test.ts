import { describe, expect, test } from 'vitest';
import { isPublicAddress, namesPrivateHost } from './public-address.js';

const inside = [
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::10.0.0.1',
  '::a00:1',
  '::101:101',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
];

describe('an address that is not public', () => {
  test.each(inside)('%s', (address) => expect(isPublicAddress(address)).toBe(false));
  test.each(['', 'localhost', 'proxy.example.com', '1.2.3.4.5', '1.1.1.1:80'])('%j is no address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

test.each(['1.1.1.1', '172.32.0.1', '11.0.0.1', '::ffff:1.1.1.1', '2606:4700:4700::1111'])('%s is public', (address) =>
  expect(isPublicAddress(address)).toBe(true),
);

describe('an address of a proxy', () => {
  // URL converts numbers in http addresses, but not in socks5 addresses.
  test.each([
    'http://127.0.0.1:3128',
    'http://user:password@10.0.0.1',
    'http://2130706433:3128',
    'http://0x7f.1',
    'socks5://2130706433:1080',
    'socks5://0x7f.1:1080',
    'socks5://0177.0.0.1',
    'socks5://[::1]:1080',
    'http://[::ffff:10.0.0.1]:3128',
    'http://[::10.0.0.1]:3128',
    'socks5://LOCALHOST:1080',
    'http://localhost.:3128',
    'http://db.localhost:3128',
  ])('%s names a private host', (url) => expect(namesPrivateHost(url)).toBe(true));

  test.each(['http://proxy.example.com:3128', 'socks5://1.1.1.1:1080', 'socks5://[2606:4700::1]:1080'])(
    '%s may be outside',
    (url) => expect(namesPrivateHost(url)).toBe(false),
  );
});
