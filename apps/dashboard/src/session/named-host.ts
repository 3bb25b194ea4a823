/** Browsers accept a passkey only at a name. `named` is the same page at `localhost`, if the address is this computer. */
export type HostKind = { readonly kind: 'name' } | { readonly kind: 'ip'; readonly named: string | null };

const isIp = (hostname: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(hostname) || hostname.startsWith('[');

const isLoopback = (hostname: string): boolean => hostname.startsWith('127.') || hostname === '[::1]';

/** Returns whether the page stands at an IP address, and where the same page stands at a name. */
export function namedAddressOf(href: string): HostKind {
  const url = new URL(href);
  if (!isIp(url.hostname)) return { kind: 'name' };
  if (!isLoopback(url.hostname)) return { kind: 'ip', named: null };
  url.hostname = 'localhost';
  return { kind: 'ip', named: url.href };
}
