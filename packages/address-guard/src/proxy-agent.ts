/** The agents that take a device's connections through its proxy, and tell when that is what failed. */
import type { Agent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';
import { hostOf, namesPrivateHost } from './public-address.js';
import { createPublicLookup, AddressNotAllowed } from './public-lookup.js';

type ProxyAgent = HttpsProxyAgent<string> | SocksProxyAgent;
type Connect = (...args: readonly unknown[]) => Promise<unknown>;

/** It is not there, refuses us or does not let us through; or it stands where no customer's proxy may stand. */
export type ProxyFailure = 'proxy_failed' | 'proxy_not_allowed';

/** Whether a proxy may stand on an address that only this network reaches. */
export type PrivateProxies = 'allow' | 'refuse';

export type ProxyOptions = {
  readonly privateProxies: PrivateProxies;
  readonly onFailure?: (failure: ProxyFailure) => void;
  /** Default: the system's. */
  readonly lookup?: LookupFunction | undefined;
  /** Ends connections to an `http://` proxy, also while it stays silent; `socks5://` has a timeout of its own. */
  readonly signal?: AbortSignal;
};

/**
 * Throws when the address is none, or neither `socks5:` nor `http:`. Never says the address: it may hold a password.
 * Each connection goes through an agent of its own: what ended one is not told of another that began meanwhile.
 */
export function createProxyAgent(proxyUrl: string, options: ProxyOptions): Agent {
  const connect: Connect = (...args) => connectOnce(proxyUrl, options, args);
  return Object.assign(agentFor(proxyUrl), { connect });
}

/** Addresses are connected to without a lookup, names with one: both are looked at, at each connection. */
async function connectOnce(proxyUrl: string, options: ProxyOptions, args: readonly unknown[]): Promise<unknown> {
  const isGuarded = options.privateProxies === 'refuse';
  let failure: ProxyFailure = 'proxy_failed';
  const refused = () => {
    failure = 'proxy_not_allowed';
  };
  try {
    if (isGuarded && namesPrivateHost(proxyUrl)) {
      refused();
      throw new AddressNotAllowed();
    }
    const lookup = isGuarded ? createPublicLookup(refused, options.lookup) : options.lookup;
    const agent = agentFor(proxyUrl, { lookup, signal: options.signal });
    return await connectorOf(agent)(...args);
  } catch (error) {
    options.onFailure?.(failure);
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
  // It would look `[::1]` up, brackets and all.
  agent.proxy.host = hostOf(proxyUrl);
  return agent;
}

function connectorOf(agent: ProxyAgent): Connect {
  return agent instanceof HttpsProxyAgent ? refusing(agent) : (agent.connect.bind(agent) as Connect);
}

/** The agent hands a refusal on as if it were the network's answer, to which a WebSocket then waits in vain. */
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
