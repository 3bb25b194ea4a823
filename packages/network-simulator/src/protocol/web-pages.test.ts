/** Tests that web pages reach neither the phones nor the devices' side of the network. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SimulatorFixture } from '../../test/simulator-fixture.js';
import { DEVICE_PATH } from './frames.js';

let simulator: SimulatorFixture;
beforeAll(async () => {
  simulator = await SimulatorFixture.start();
});
afterAll(() => simulator.stop());

type Headers = Readonly<Record<string, string>>;

async function statusOf(method: string, headers: Headers, body?: string): Promise<number | undefined> {
  const path = method === 'POST' ? '/phones' : '/phones/628110000001/inbox';
  const asked = request(simulator.url + path, { method, headers });
  asked.end(body);
  // `request` documents this event and its argument.
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

const json = { 'content-type': 'application/json' };
const numbers = JSON.stringify({ numbers: ['628110000001'] });

const pages: [string, Headers][] = [
  ['of another site', { 'sec-fetch-site': 'cross-site' }],
  ['on another port of this machine', { 'sec-fetch-site': 'same-site' }],
  ['that says only its origin', { origin: 'https://evil.example' }],
  ['without an origin', { origin: 'null' }],
  ['whose name was bound to this machine', { host: 'evil.example:3002', 'sec-fetch-site': 'same-origin' }],
  ['in a browser that says nothing', { host: 'evil.example:3002' }],
  ['with a name that only begins like loopback', { host: '127.0.0.1.evil.example' }],
];

test.each(pages)('a page %s neither reads nor writes', async (_, headers) => {
  expect(await statusOf('GET', headers)).toBe(403);
  expect(await statusOf('POST', { ...json, ...headers }, numbers)).toBe(403);
});

test.each(pages)('a page %s opens no connection of a device', async (_, headers) => {
  const socket = new WebSocket(simulator.url.replace('http', 'ws') + DEVICE_PATH, { headers });
  const [error] = (await once(socket, 'error')) as [Error];
  expect(error.message).toContain('403');
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'text/plain;application/json', ''])(
  'a body of the type %j is refused, because a browser sends it without asking',
  async (type) => expect(await statusOf('POST', { 'content-type': type }, numbers)).toBe(415),
);

test.each(['localhost:3002', '127.0.0.1', '[::1]:3002', 'simulator:3002', '172.17.0.2:3002'])(
  'a program may call it as %s',
  async (host) => {
    expect(await statusOf('GET', { host })).toBe(200);
    expect(await statusOf('POST', { ...json, host }, numbers)).toBe(201);
  },
);
