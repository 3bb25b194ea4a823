/** What goes over the wire about handled events, seen from each end by a bare WebSocket at the other. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { MemoryCredentials, waitUntil } from '@kurir/network/conformance';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { TOKEN_ID, TOKEN_KIND } from './driver/credentials.js';
import { createSimulatorDriver } from './driver/simulator-driver.js';
import { DEVICE_PATH, type DeviceFrame, type NetworkFrame, PROTOCOL_VERSION } from './protocol.js';
import { connectDevice } from './testing/device.js';
import { RunningSimulator } from './testing/running-simulator.js';

afterEach(() => {
  vi.useRealTimers();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A network that welcomes, acknowledges and reports two receipts of each message, the first with number 1. */
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

test('the driver tells what it handled with its next message, and in no frame of its own before', async () => {
  const network = await startBareNetwork();
  const credentials = new MemoryCredentials();
  await credentials.write([{ kind: TOKEN_KIND, id: TOKEN_ID, value: Buffer.from('secret') }]);
  const driver = createSimulatorDriver({ url: network.url, ackTimeoutMs: 5_000 });
  const device = { deviceId: 'dev_1', number: '6281300000001', credentials };
  const { receipts, session } = await connectDevice(driver, device);
  onTestFinished(() => session.close());
  // However slow the machine: nothing is told because time has passed.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const send = (networkMessageId: string) =>
    session.send({ networkMessageId, recipient: '6281300000009', text: 'Halo' });
  await send('3EB01');
  while (receipts.length < 2) await nextTurn();
  // Came, and now handled.
  await nextTurn();
  await send('3EB02');
  expect(network.frames.map((frame) => [frame.t, 'n' in frame ? frame.n : null])).toEqual([
    ['login', null],
    ['send', null],
    ['send', [1, 2]],
  ]);
});

async function logInBare(simulator: RunningSimulator) {
  const { credentials, deviceId } = await simulator.link();
  const token = (await credentials.read(TOKEN_KIND, [TOKEN_ID])).get(TOKEN_ID);
  const socket = new WebSocket(`${simulator.url.replace('http', 'ws')}${DEVICE_PATH}`);
  onTestFinished(() => socket.terminate());
  const heard: NetworkFrame[] = [];
  socket.on('message', (data: Buffer) => void heard.push(JSON.parse(data.toString()) as NetworkFrame)); // the network's own
  await once(socket, 'open');
  const say = (frame: DeviceFrame) => socket.send(JSON.stringify(frame));
  say({ t: 'login', v: PROTOCOL_VERSION, device: deviceId, epoch: '1', token: Buffer.from(token ?? []).toString() });
  await waitUntil('it is welcome', () => heard.length > 0);
  return { deviceId, heard, say };
}

test('the network tells each receipt when it is due, and none earlier with an acknowledgement', async () => {
  const simulator = await RunningSimulator.start();
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

test.each([
  ['that is taken', null, ['message', 'settled', 'message']],
  ['that the network swallows', 'swallow', ['message', 'settled', 'fault']],
])('the network settles what comes with a message %s', async (_, kind, expected) => {
  const simulator = await RunningSimulator.start();
  onTestFinished(() => simulator.stop());
  const { deviceId, heard, say } = await logInBare(simulator);
  const to = simulator.freshNumber();
  say({ t: 'send', id: simulator.freshId(), to, text: 'Halo' });
  const numbers = () => heard.flatMap((frame) => (frame.t === 'receipt' ? [frame.n] : []));
  await waitUntil('both receipts came', () => numbers().length === 2);
  if (kind !== null) await simulator.askFor('POST', '/faults', { kind, device_id: deviceId });
  say({ t: 'send', id: simulator.freshId(), to, text: 'Halo', n: numbers() });
  const kinds = async () => {
    const { entries } = (await simulator.askFor('GET', '/journal')) as { entries: { kind: string }[] }; // our own API
    return entries.map((entry) => entry.kind).slice(2);
  };
  await waitUntil('the second message was handled', async () => (await kinds()).length >= expected.length);
  expect(await kinds()).toEqual(expected);
});
