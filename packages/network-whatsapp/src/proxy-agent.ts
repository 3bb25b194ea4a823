import type { Agent } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

/** Throws when the address is none, or neither `socks5:` nor `http:`. Never says the address: it may hold a password. */
export function createProxyAgent(proxyUrl: string): Agent {
  switch (URL.canParse(proxyUrl) ? new URL(proxyUrl).protocol : '') {
    case 'socks5:':
      return new SocksProxyAgent(proxyUrl);
    case 'http:':
      return new HttpsProxyAgent(proxyUrl);
    default:
      throw new Error('a proxy address begins with socks5:// or http://');
  }
}
