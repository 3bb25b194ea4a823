/**
 * Fetches one address whose answers we do not trust. It limits time and size. If the caller asks for that, it connects
 * to public addresses only. With a proxy, it never connects around it. A redirect is a failure, because the server
 * would choose the target.
 */
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { createProxyAgent, type PrivateProxies } from './proxy-agent.js';
import { namesPrivateHost } from './public-address.js';
import { AddressNotAllowed, createPublicLookup } from './public-lookup.js';

export type FetchOptions = {
  /** Whether the address may be one that only this network reaches. */
  readonly privateAddresses: 'allow' | 'refuse';
  /** `http://` or `socks5://`, with user and password if the proxy needs them. */
  readonly proxyUrl?: string | undefined;
  /** By default a proxy may have any address, as the proxies of the operator do. */
  readonly privateProxies?: PrivateProxies | undefined;
  /** A CA in PEM, to trust instead of the usual ones. */
  readonly certificate?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** The limit for everything, from the lookup to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** By default the lookup of the system. */
  readonly lookup?: LookupFunction;
};

/** The fetch failed. The error has no cause, because the errors of proxy libraries contain the proxy's password. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

/** Returns the body of a 200 as text. Rejects with `FetchFailed` in any other case. */
export async function fetchText(url: string, options: FetchOptions): Promise<string> {
  return (await fetchBytes(url, options)).toString();
}

/** Returns the body of a 200. Rejects with `FetchFailed` in any other case. */
export async function fetchBytes(url: string, options: FetchOptions): Promise<Buffer> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal]);
  try {
    return await readAll(await ask(url, options, signal), options.maxBytes);
  } catch (error) {
    if (timeout.aborted) throw new FetchFailed('no answer in time');
    throw error instanceof FetchFailed ? error : new FetchFailed(error instanceof Error ? error.message : 'unknown');
  }
}

async function ask(url: string, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const isGuarded = options.privateAddresses === 'refuse';
  if (isGuarded && namesPrivateHost(url)) throw new AddressNotAllowed();
  const lookup = isGuarded ? createPublicLookup(options.lookup) : options.lookup;
  const { proxyUrl, privateProxies = 'allow', certificate: ca, headers = {} } = options;
  const agent = proxyUrl === undefined ? false : createProxyAgent(proxyUrl, { privateProxies, signal });
  const request = new URL(url).protocol === 'https:' ? requestSecure : requestPlain;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // A request emits no error while its agent is still connecting.
    signal.addEventListener('abort', () => reject(new FetchFailed('given up')), { once: true });
    request(url, { agent, headers, signal, ca, ...(lookup && { lookup }) }, resolve)
      .on('error', reject)
      .end();
  });
  if (response.statusCode === 200) return response;
  response.destroy();
  throw new FetchFailed(`status ${response.statusCode}`);
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A response without an encoding yields buffers.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new FetchFailed(`more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
