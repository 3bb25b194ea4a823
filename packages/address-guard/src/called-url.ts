/** Says which URLs of customers the gateway may call, without any lookup. */
import { namesLoopback, namesPrivateHost } from './public-address.js';

/** `loopback`: public addresses, and the machine itself. */
export type AddressPolicy = 'refuse' | 'loopback' | 'allow';

export type UrlProblem = 'malformed' | 'protocol' | 'credentials' | 'fragment' | 'port' | 'private_address';

/** URL drops spaces and line breaks, and reads a backslash as a slash. Other programs read such a text differently. */
const plainText = /^[\x21-\x5b\x5d-\x7e]+$/;

function isAllowedPort(port: string): boolean {
  return port === '' || port === '80' || port === '443' || Number(port) > 1023;
}

/** Why the gateway may not call the URL, or null. A name that leads to a private address is found while connecting. */
export function problemOfUrl(url: string, policy: AddressPolicy): UrlProblem | null {
  if (!plainText.test(url) || !URL.canParse(url)) return 'malformed';
  const { protocol, username, password, port } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return 'protocol';
  if (!/^https?:\/\//i.test(url)) return 'malformed';
  if (username !== '' || password !== '') return 'credentials';
  if (url.includes('#')) return 'fragment';
  if (!isAllowedPort(port)) return 'port';
  if (policy === 'allow' || !namesPrivateHost(url)) return null;
  return policy === 'loopback' && namesLoopback(url) ? null : 'private_address';
}
