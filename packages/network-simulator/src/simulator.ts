/**
 * Starts the network: HTTP and the devices' WebSockets on one port, its memory in one journal file. A start on an
 * existing journal restores the network. Two processes may not use one journal at the same time.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequests } from './http/answer-requests.js';
import { Exchange } from './network/exchange/exchange.js';
import { greetDevice } from './network/greet-device.js';
import { LinkAttempts } from './network/linking/link-attempts.js';
import { Switchboard } from './network/switchboard.js';

export type SimulatorOptions = {
  /** Default 127.0.0.1. There is no authentication: keep it local. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Without it, the network forgets everything when it is closed. */
  readonly journalFile?: string | undefined;
  /** Every answer returns it as the header X-Kurir-Instance. */
  readonly instance?: string | undefined;
  /** The delay from accepting a message to `delivered`, and from there to `read`. Default 200. */
  readonly receiptDelayMs?: number;
  /** How long a QR text is shown before it changes. Default 20,000. */
  readonly codeLifetimeMs?: number;
  /**
   * How many QR texts are shown before linking expires. A pairing code lives as long as all of them together. Default
   * 6.
   */
  readonly codeRounds?: number;
  /** How often the network pings each device. Default 15,000. */
  readonly keepAliveMs?: number;
};

export type Simulator = {
  /** `http://host:port`, for HTTP and for `createSimulatorDriver`. */
  readonly url: string;
  /** Closes all connections of devices, writes the rest of the journal, and frees the port. */
  close(): Promise<void>;
};

/** Resolves when devices and HTTP clients can connect. Rejects when the port or the journal cannot be opened. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const exchange = await Exchange.open(options.journalFile, options.receiptDelayMs ?? 200);
  const linking = new LinkAttempts(exchange, {
    codeLifetimeMs: options.codeLifetimeMs ?? 20_000,
    codeRounds: options.codeRounds ?? 6,
  });
  const server = createServer(answerRequests(exchange, linking, options.instance));
  const { lastSocket } = exchange.state;
  const switchboard = new Switchboard(server, options.keepAliveMs ?? 15_000, lastSocket, (wire) => {
    greetDevice(exchange, linking, wire);
  });
  const stopParts = (): void => {
    switchboard.close();
    linking.close();
    exchange.close();
  };

  try {
    await once(server.listen(options.port ?? 0, options.host ?? '127.0.0.1'), 'listening');
  } catch (error) {
    stopParts();
    throw error;
  }

  return {
    url: urlOf(server.address()),
    async close() {
      const closed = new Promise((done) => server.close(done));
      stopParts();
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
