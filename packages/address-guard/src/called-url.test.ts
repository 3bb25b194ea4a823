import { describe, expect, test } from 'vitest';
import { problemOfUrl } from './called-url.js';

describe('a URL that the gateway does not call', () => {
  test.each([
    ['', 'malformed'],
    ['example.com/hook', 'malformed'],
    ['https:example.com', 'malformed'],
    ['https:/example.com', 'malformed'],
    ['https://', 'malformed'],
    ['https://exa mple.com', 'malformed'],
    ['https://example.com\n', 'malformed'],
    ['https://example.com\\@evil.example.com', 'malformed'],
    ['https://example.com:99999', 'malformed'],
    ['https://1.2.3.4.5', 'malformed'],
    ['ftp://example.com', 'protocol'],
    ['file:///etc/passwd', 'protocol'],
    ['javascript:alert(1)', 'protocol'],
    ['https://user:password@example.com', 'credentials'],
    ['https://user@example.com', 'credentials'],
    ['https://example.com/hook#part', 'fragment'],
    ['https://example.com/hook#', 'fragment'],
    ['http://example.com:22', 'port'],
    ['http://example.com:0', 'port'],
    ['http://example.com:1023', 'port'],
    ['http://169.254.169.254/latest/meta-data', 'private_address'],
    ['http://168.63.129.16', 'private_address'],
    ['http://10.0.0.1', 'private_address'],
    ['http://2130706433', 'private_address'],
    ['http://0x7f.1', 'private_address'],
    ['http://[::1]:8000', 'private_address'],
    ['http://[::ffff:127.0.0.1]', 'private_address'],
    ['http://LOCALHOST.:8000', 'private_address'],
    ['http://0.0.0.0:8000', 'private_address'],
  ])('%j: %s', (url, problem) => expect(problemOfUrl(url, 'refuse')).toBe(problem));
});

test.each([
  'https://example.com',
  'HTTPS://example.com:443/hook?a=1',
  'http://example.com:80',
  'http://1.1.1.1:1024/%20',
])('%s may be called', (url) => expect(problemOfUrl(url, 'refuse')).toBeNull());

test('with the policy loopback, only the machine itself may be called as well', () => {
  for (const url of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'http://a.localhost:3000'])
    expect(problemOfUrl(url, 'loopback'), url).toBeNull();
  for (const url of ['http://10.0.0.1', 'http://169.254.169.254', 'http://0.0.0.0:3000', 'http://[::10.0.0.1]'])
    expect(problemOfUrl(url, 'loopback'), url).toBe('private_address');
});

test('with the policy allow, the other rules stay', () => {
  expect(problemOfUrl('http://10.0.0.1', 'allow')).toBeNull();
  expect(problemOfUrl('http://10.0.0.1:22', 'allow')).toBe('port');
});
