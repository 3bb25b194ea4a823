/** The agents that connect a device through its proxy. They report whether the proxy failed. */
import type { Agent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { hostOf, namesPrivateHost } from './public-address.js';
import { createPublicLookup, AddressNotAllowed } from './public-lookup.js';

type ProxyAgent = HttpsProxyAgent<string> | SocksProxyAgent;
type Connect = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * `proxy_failed`: the proxy is away, refuses us or does not connect, or its name leads to no public address. An unknown name
 * and one of a private address give the same word. Otherwise a customer could learn which names exist inside.
 * `proxy_not_allowed`: the URL itself names an address that is not public.
 */
export type ProxyFailure = 'proxy_failed' | 'proxy_not_allowed';

/** Whether a proxy may have an address that only this network reaches. */
export type PrivateProxies = 'allow' | 'refuse';

export type ProxyOptions = {
  readonly privateProxies: PrivateProxies;
  readonly onFailure?: (failure: ProxyFailure) => void;
  /** By default the lookup of the system. */
  readonly lookup?: LookupFunction | undefined;
  /** Ends connections to an `http://` proxy, even a silent one. `socks5://` has its own timeout. */
  readonly signal?: AbortSignal;
};

/**
 * Throws if the address is not a URL with `socks5:` or `http:`. The error does not contain the address, because it may
 * contain a password. Each connection has its own agent, so its failure is not reported for another connection.
 */
export function createProxyAgent(proxyUrl: string, options: ProxyOptions): Agent {
  const connect: Connect = (...args) => connectOnce(proxyUrl, options, args);
  return Object.assign(agentFor(proxyUrl), { connect });
}

/** Checks the address itself, and the addresses of a name, at each connection. */
async function connectOnce(proxyUrl: string, options: ProxyOptions, args: readonly unknown[]): Promise<unknown> {
  const isGuarded = options.privateProxies === 'refuse';
  const isRefused = isGuarded && namesPrivateHost(proxyUrl);
  try {
    if (isRefused) throw new AddressNotAllowed();
    const lookup = isGuarded ? createPublicLookup(options.lookup) : options.lookup;
    const agent = agentFor(proxyUrl, { lookup, signal: options.signal });
    return await connectorOf(agent)(...args);
  } catch (error) {
    options.onFailure?.(isRefused ? 'proxy_not_allowed' : 'proxy_failed');
    throw error;
  }
}

type ConnectWith = { readonly lookup?: LookupFunction | undefined; readonly signal?: AbortSignal | undefined };

function agentFor(proxyUrl: string, { lookup, signal }: ConnectWith = {}): ProxyAgent {
  switch (URL.canParse(proxyUrl) ? new URL(proxyUrl).protocol : '') {
    case 'socks5:':
      return createSocksAgent(proxyUrl, lookup);
    case 'http:':
      return new HttpsProxyAgent(proxyUrl, { ...(lookup && { lookup }), ...(signal && { signal }) });
    default:
      throw new Error('a proxy address begins with socks5:// or http://');
  }
}

function createSocksAgent(proxyUrl: string, lookup?: LookupFunction): SocksProxyAgent {
  const agent = new SocksProxyAgent(proxyUrl, lookup && { socketOptions: { lookup } });
  // Otherwise the agent looks `[::1]` up with its brackets.
  agent.proxy.host = hostOf(proxyUrl);
  return agent;
}

function connectorOf(agent: ProxyAgent): Connect {
  return agent instanceof HttpsProxyAgent ? refusing(agent) : (agent.connect.bind(agent) as Connect);
}

/** The agent passes the proxy's refusal on as an answer of the network. A WebSocket would then wait for ever. */
function refusing(agent: HttpsProxyAgent<string>): Connect {
  const connect = agent.connect.bind(agent) as Connect;
  let status = 0;
  agent.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
    status = statusCode;
  });
  return async (...args) => {
    const socket = await connect(...args);
    if (status !== 200) throw new Error(`the proxy refused with status ${status}`);
    return socket;
  };
}
