import { expect, it } from 'vitest';
import { startBridgeServer } from './bridge-server.js';
import { waha } from './waha.js';

it('cuts a call that takes too long when it closes', async () => {
  let begun = (): void => {};
  const inFlight = new Promise<void>((resolve) => (begun = resolve));
  const server = await startBridgeServer({
    peer: waha,
    setup: { name: 'default', secret: null, key: null },
    host: '127.0.0.1',
    port: 0,
    finishMs: 20,
    carryOut() {
      begun();
      return new Promise(() => {});
    },
    onCall: () => {},
  });
  const body = JSON.stringify({ chatId: '6281234567890', text: 'Halo' });
  const answer = fetch(`${server.url}/api/sendText`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const end = answer.then(
    () => 'answered',
    () => 'cut',
  );
  await inFlight;
  await server.close();
  expect(await end).toBe('cut');
});
