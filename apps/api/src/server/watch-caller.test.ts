import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { watchCaller } from './watch-caller.js';

test('a caller has gone when the connection ends, even if it ended before the call', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const asked = once(server, 'request');
  // A listening TCP server has an address object.
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  const [, res] = (await asked) as [unknown, ServerResponse];
  const early = watchCaller(res);
  expect(early.aborted).toBe(false);
  const closed = once(res, 'close');
  request.destroy();
  await closed;
  expect(early.aborted).toBe(true);
  expect(watchCaller(res).aborted).toBe(true);
});
