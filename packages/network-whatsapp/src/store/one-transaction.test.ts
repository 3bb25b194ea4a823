import { addTransactionCapability, type WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { createBaileysLog } from '../socket/driver-log.js';
import { lockKeysTogether } from './one-transaction.js';

const log = createBaileysLog({ debug: () => undefined, warn: () => undefined });

function open() {
  const store = { get: async () => ({}), set: async () => undefined };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  // The parts of a socket that `lockKeysTogether` uses.
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

test('decrypting a message waits until another message is encrypted, for any two contacts', async () => {
  const { keys, steps, first, finish } = open();
  const second = keys.transaction(async () => void steps.push('decrypting'), 'somebody');
  finish();
  await Promise.all([first, second]);
  expect(steps).toEqual(['sending begins', 'sending ends', 'decrypting']);
});

test('a LID is stored during that, because the sender may wait for it', async () => {
  const { keys, steps, first, finish } = open();
  await keys.transaction(async () => void steps.push('a LID'), 'lid-mapping');
  finish();
  await first;
  expect(steps).toEqual(['sending begins', 'a LID', 'sending ends']);
});
