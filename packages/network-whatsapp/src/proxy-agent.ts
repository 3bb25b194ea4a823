/** The agents that take a device's connections through its proxy, and tell when that is what failed. */
import type { Agent } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { SocksProxyAgent } from 'socks-proxy-agent';

type ProxyAgent = HttpsProxyAgent<string> | SocksProxyAgent;
type Connect = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Throws when the address is none, or neither `socks5:` nor `http:`. Never says the address: it may hold a password.
 * `onFailure`: the proxy is not there, refuses us, or does not let us through.
 */
export function createProxyAgent(proxyUrl: string, onFailure: () => void = () => undefined): Agent {
  switch (URL.canParse(proxyUrl) ? new URL(proxyUrl).protocol : '') {
    case 'socks5:': {
      const agent = new SocksProxyAgent(proxyUrl);
      return watch(agent, agent.connect.bind(agent) as Connect, onFailure);
    }
    case 'http:': {
      const agent = new HttpsProxyAgent(proxyUrl);
      return watch(agent, refusing(agent), onFailure);
    }
    default:
      throw new Error('a proxy address begins with socks5:// or http://');
  }
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

function watch(agent: ProxyAgent, connect: Connect, onFailure: () => void): Agent {
  const watching: Connect = async (...args) => {
    try {
      return await connect(...args);
    } catch (error) {
      onFailure();
      throw error;
    }
  };
  return Object.assign(agent, { connect: watching });
}
