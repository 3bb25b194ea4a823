/** The frames about handled events, seen from each end with a bare WebSocket as the other end. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connectDevice, type Device } from '../test/device-fixture.js';
import { SimulatorFixture } from '../test/simulator-fixture.js';
import { TOKEN_ID, TOKEN_KIND } from './driver/credentials.js';
import { createSimulatorDriver } from './driver/simulator-driver.js';
import { DEVICE_PATH, type DeviceFrame, type NetworkFrame, PROTOCOL_VERSION } from './protocol/frames.js';

afterEach(() => {
  vi.useRealTimers();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A network that welcomes, acknowledges and sends two receipts for each message, numbered from 1. */
async function startBareNetwork() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const frames: DeviceFrame[] = [];
  let lastNumber = 0;
  server.on('connection', (socket) => {
    const say = (frame: NetworkFrame) => socket.send(JSON.stringify(frame));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as DeviceFrame; // the driver's own
      frames.push(frame);
      if (frame.t === 'login') say({ t: 'welcome', number: '6281300000001' });
      if (frame.t !== 'send') return;
      say({ t: 'ack', id: frame.id });
      for (const status of ['delivered', 'read'] as const)
        say({ t: 'receipt', n: (lastNumber += 1), id: frame.id, status });
    });
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}`, frames };
}

test('the driver settles each event after its handler resolved, and no event whose handler rejects', async () => {
  const network = await startBareNetwork();
  const credentials = new MemoryCredentials();
  await credentials.write([{ kind: TOKEN_KIND, id: TOKEN_ID, value: Buffer.from('secret') }]);
  const driver = createSimulatorDriver({ url: network.url, ackTimeoutMs: 5_000 });
  const handling: { resolve(): void; reject(error: Error): void }[] = [];
  const handleReceipt = () => new Promise<void>((resolve, reject) => void handling.push({ resolve, reject }));
  const device = { deviceId: 'dev_1', number: '6281300000001', credentials };
  const { session } = await connectDevice(driver, device, { handleReceipt });
  onTestFinished(() => session.close());
  const said = () => network.frames.map((frame) => (frame.t === 'settle' ? `settle ${frame.n}` : frame.t));
  const send = (networkMessageId: string) =>
    session.send({ networkMessageId, recipient: '6281300000009', content: { kind: 'text', text: 'Halo' } });
  await send('3EB01');
  await waitUntil('its receipts came', () => handling.length === 2);
  handling[1]?.resolve();
  await waitUntil('the second one is settled', () => said().length === 3);
  handling[0]?.reject(new Error('the database is away'));
  await nextTurn();
  await send('3EB02');
  await waitUntil('its receipts came', () => handling.length === 4);
  for (const { resolve } of handling) resolve();
  await waitUntil('these are settled', () => said().length === 6);
  expect(said()).toEqual(['login', 'send', 'settle 2', 'send', 'settle 3', 'settle 4']);
});

type Bare = { readonly heard: readonly NetworkFrame[]; readonly say: (frame: DeviceFrame) => void };

async function logInBare(simulator: SimulatorFixture, device?: Device): Promise<Bare> {
  const { credentials, deviceId } = device ?? (await simulator.link());
  const token = (await credentials.read(TOKEN_KIND, [TOKEN_ID])).get(TOKEN_ID);
  const socket = new WebSocket(`${simulator.url.replace('http', 'ws')}${DEVICE_PATH}`);
  onTestFinished(() => socket.terminate());
  const heard: NetworkFrame[] = [];
  socket.on('message', (data: Buffer) => void heard.push(JSON.parse(data.toString()) as NetworkFrame)); // the network's own
  await once(socket, 'open');
  const say = (frame: DeviceFrame) => socket.send(JSON.stringify(frame));
  say({ t: 'login', v: PROTOCOL_VERSION, device: deviceId, epoch: '1', token: Buffer.from(token ?? []).toString() });
  await waitUntil('it is welcome', () => heard.length > 0);
  return { heard, say };
}

test('the network sends each receipt when it is due, and none earlier with an acknowledgement', async () => {
  const simulator = await SimulatorFixture.start();
  onTestFinished(() => simulator.stop());
  const { heard, say } = await logInBare(simulator);
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const send = () => say({ t: 'send', id: simulator.freshId(), to: '6281300000009', text: 'Halo' });
  const told = () => heard.slice(1).map((frame) => (frame.t === 'receipt' ? frame.status : frame.t));
  const until = async (count: number) => {
    const deadline = Date.now() + 5_000;
    while (told().length < count) {
      if (Date.now() > deadline) throw new Error(`told in 5 s: ${told().join(', ')}`);
      await nextTurn();
    }
  };
  send();
  await until(1);
  send();
  await until(2);
  vi.advanceTimersByTime(5);
  await until(4);
  send();
  await until(5);
  vi.advanceTimersByTime(5);
  await until(8);
  expect(told()).toEqual(['ack', 'ack', 'delivered', 'delivered', 'ack', 'delivered', 'read', 'read']);
});

test('the network has 1,000 events in flight, and a settled one makes room for the next', async () => {
  const simulator = await SimulatorFixture.start();
  onTestFinished(() => simulator.stop());
  const { heard, say } = await logInBare(simulator);
  for (let n = 0; n < 600; n += 1) say({ t: 'send', id: simulator.freshId(), to: '6281300000009', text: 'Halo' });
  const numbers = () => heard.flatMap((frame) => (frame.t === 'receipt' ? [frame.n] : []));
  await waitUntil('1,000 receipts came', () => numbers().length === 1_000);
  for (let n = 0; n < 200; n += 1) say({ t: 'settle', n: numbers()[n] ?? 0 });
  await waitUntil('the others came', () => numbers().length === 1_200);
  expect(new Set(numbers()).size).toBe(1_200);
});

test('the network journals a settled event once, and does not send it to the next connection', async () => {
  const simulator = await SimulatorFixture.start();
  onTestFinished(() => simulator.stop());
  const device = await simulator.link();
  const first = await logInBare(simulator, device);
  const numbers = ({ heard }: Bare) => heard.flatMap((frame) => (frame.t === 'receipt' ? [frame.n] : []));
  first.say({ t: 'send', id: simulator.freshId(), to: '6281300000009', text: 'Halo' });
  await waitUntil('both receipts came', () => numbers(first).length === 2);
  const [settled = 0, open = 0] = numbers(first);
  for (const n of [settled, settled, 9_999]) first.say({ t: 'settle', n });
  const settledEvents = async () => {
    const { entries } = (await simulator.askFor('GET', '/journal')) as {
      entries: { kind: string; events?: number[] }[];
    }; // our own API
    return entries.filter(({ kind }) => kind === 'settled').map(({ events }) => events);
  };
  await waitUntil('it is settled', async () => (await settledEvents()).length > 0);
  const second = await logInBare(simulator, device);
  await waitUntil('the open receipt came', () => numbers(second).length > 0);
  expect([numbers(second), await settledEvents()]).toEqual([[open], [[settled]]]);
});
