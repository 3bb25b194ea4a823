/** Starts the network of the devices as a process: the simulator, or the relay that speaks WhatsApp's protocol. */
import { freePort } from '@kurir/testing';
import { startMeasuredProcess } from '../processes/measured-process.js';
import type { Setting } from '../processes/setting.js';

export type NetworkName = 'simulator' | 'whatsapp';

export type Network = {
  readonly name: NetworkName;
  /** The address of its HTTP interface, which shows and controls its phones. */
  readonly url: string;
  readonly pid: number;
  /** The workers' settings for this network. */
  readonly env: Readonly<Record<string, string>>;
};

const receiptDelayMs = 20;

async function startSimulator(setting: Setting, port: number): Promise<Network> {
  const url = `http://127.0.0.1:${port}`;
  const { pid } = await startMeasuredProcess(setting, {
    path: 'packages/network-simulator/dist/main.js',
    args: ['--port', String(port), '--receipt-delay-ms', String(receiptDelayMs)],
    ready: `${url}/health/ready`,
  });
  return { name: 'simulator', url, pid, env: { KURIR_SIMULATOR_URL: url } };
}

async function startRelay(setting: Setting, port: number): Promise<Network> {
  const url = `http://127.0.0.1:${port}`;
  const { pid } = await startMeasuredProcess(setting, {
    path: 'packages/whatsapp-relay/dist/main.js',
    args: ['--port', String(port), '--recipients', '0'],
    ready: url,
    measuredAs: 'relay',
  });
  // The relay's own tests check this shape.
  const where = (await (await fetch(url)).json()) as { readonly url: string; readonly rootPublicKey: string };
  return {
    name: 'whatsapp',
    url,
    pid,
    env: { KURIR_WHATSAPP_URL: where.url, KURIR_WHATSAPP_ROOT_KEY: where.rootPublicKey },
  };
}

export async function startNetwork(setting: Setting, name: NetworkName): Promise<Network> {
  const port = await freePort();
  return name === 'simulator' ? startSimulator(setting, port) : startRelay(setting, port);
}
