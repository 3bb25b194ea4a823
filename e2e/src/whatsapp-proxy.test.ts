/** A device with a proxy: all its traffic goes through the proxy, and the device names a proxy that fails. */
import { type ProxyServer, startHttpProxy, startSocksProxy } from '@kurir/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Customer } from './customers/customer.js';
import { createDevice, linkByQr, lookAt, patienceMs, untilState } from './customers/whatsapp-device.js';
import { type RelayProgram, startRelay } from './phones/whatsapp-relay.js';
import { type Stack, startStack } from './stack/stack.js';

let relay: RelayProgram;
let stack: Stack;
let account: Customer;

beforeAll(async () => {
  relay = await startRelay();
  const env = { ...relay.env, KURIR_ACK_TIMEOUT_MS: '5000', KURIR_PROXY_PRIVATE_ADDRESSES: 'allow' };
  stack = await startStack({ env });
  account = await stack.createCustomer({ devices: 0 });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});

const friend = '4915550000001';
const relayPort = () => Number(new URL(relay.env.KURIR_WHATSAPP_URL).port);
const nowhere = 'http://127.0.0.1:1';

async function sendOne({ client }: Customer): Promise<void> {
  const { jobId } = await client.sendMessage({ message: 'Halo', phoneDestination: friend });
  await client.waitForJob(jobId, { until: 'delivered', timeoutMs: patienceMs });
}

describe.each([
  ['http', startHttpProxy],
  ['socks5', startSocksProxy],
])('a device with an %s proxy', (_scheme, startProxy) => {
  let proxy: ProxyServer;
  beforeAll(async () => {
    proxy = await startProxy();
  });
  afterAll(() => proxy?.close());

  it('links and sends through it, says why it does not connect without it, and accepts another one', async () => {
    const customer = await createDevice(account, { proxy: proxy.url });
    await linkByQr(relay, customer);
    await sendOne(customer);
    // One connection links and one logs in. There are more if a busy machine cuts a connection.
    expect(proxy.targets.length).toBeGreaterThanOrEqual(2);
    expect(new Set(proxy.targets)).toEqual(new Set([relayPort()]));

    await customer.client.updateDevice({ proxy: proxy.wrongUrl });
    await untilState(customer, 'connecting', 'proxy_failed');
    expect(proxy.refused).toBeGreaterThan(0);
    await customer.client.updateDevice({ proxy: nowhere });
    await untilState(customer, 'connecting', 'proxy_failed');
    expect(proxy.targets).toHaveLength(2);

    await customer.client.updateDevice({ proxy: proxy.url });
    await untilState(customer, 'connected');
    await sendOne(customer);
    expect(proxy.targets).toHaveLength(3);
    await customer.client.updateDevice({ proxy: null });
    await proxy.close();
    await untilState(customer, 'connected');
    await sendOne(customer);
  });

  it('shows its password nowhere', async () => {
    const customer = await createDevice(account, { proxy: proxy.url });
    const shown = JSON.stringify(await lookAt(customer));
    const logs = JSON.stringify([stack.api.lines, ...stack.workers.map(({ lines }) => lines)]);
    expect(shown).toContain('user@127.0.0.1');
    expect(shown + logs).not.toContain('canary');
  });
});

it('a device with an unreachable proxy does not link, and says why', async () => {
  const customer = await createDevice(account, { proxy: nowhere });
  await customer.client.linkDevice();
  expect(await untilState(customer, 'disconnected', 'link_failed')).toMatchObject({
    stateDetail: 'proxy_failed',
    pairing: null,
  });
});
