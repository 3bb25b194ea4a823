import { addTransactionCapability, type WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { createBaileysLog } from '../socket/driver-log.js';
import { lockKeysTogether } from './one-transaction.js';

const log = createBaileysLog({ debug: () => undefined, warn: () => undefined });

function open() {
  const store = { get: async () => ({}), set: async () => undefined };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  // All that the lock asks of a socket.
  lockKeysTogether({ authState: { keys } } as unknown as WASocket);
  const steps: string[] = [];
  let finish = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = keys.transaction(async () => {
    steps.push('sending begins');
    await blocked;
    steps.push('sending ends');
  }, 'me');
  return { keys, steps, first, finish };
}

test('decrypting somebody’s message waits until a message is encrypted, whoever the two are about', async () => {
  const { keys, steps, first, finish } = open();
  const second = keys.transaction(async () => void steps.push('decrypting'), 'somebody');
  finish();
  await Promise.all([first, second]);
  expect(steps).toEqual(['sending begins', 'sending ends', 'decrypting']);
});

test('a LID is stored meanwhile: who sends may wait for it', async () => {
  const { keys, steps, first, finish } = open();
  await keys.transaction(async () => void steps.push('a LID'), 'lid-mapping');
  finish();
  await first;
  expect(steps).toEqual(['sending begins', 'a LID', 'sending ends']);
});
