/** The address of an outbound proxy. It may hold a password, so no error repeats it. */
import { z } from 'zod';
import { brokenRule } from '../http/field-rules.js';
import { limits } from '../http/limits.js';

function isProxyAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(text);
  const isPlain = (pathname === '' || pathname === '/') && search === '' && hash === '';
  return (protocol === 'socks5:' || protocol === 'http:') && hostname !== '' && isPlain;
}

export const proxyAddress = z
  .string()
  .max(limits.proxyMaxLength)
  .regex(/^[\x21-\x7e]+$/, 'must be an address like socks5://user:password@host:1080')
  .refine(isProxyAddress, {
    message: 'must begin with socks5:// or http:// and name a host, with nothing after the port',
    params: brokenRule('address'),
  })
  .meta({
    description:
      'An address with socks5:// or http://, and with a user and a password if the proxy needs them. Its host must have a public address, unless the operator allows others. Kurir never shows the password again.',
    example: 'socks5://user:password@proxy.example.com:1080',
  });
