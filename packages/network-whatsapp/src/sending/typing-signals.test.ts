import type { WASocket } from 'baileys';
import { expect, test, vi } from 'vitest';
import type { FoundPerson, People } from '../people/people.js';
import { TypingSignals } from './typing-signals.js';

test('a connection that ends while the person is looked up shows no typing and leaves no timer', async () => {
  vi.useFakeTimers();
  const pn = '6281300000001@s.whatsapp.net';
  const person = { pn, lid: null, prefers: null, tries: {} };
  let found = (_person: FoundPerson): void => undefined;
  const find = () => new Promise<FoundPerson>((resolve) => void (found = resolve));
  const sent: string[] = [];
  // The parts of a socket and of `People` that a signal uses.
  const socket = { sendPresenceUpdate: async (type: string) => void sent.push(type) } as unknown as WASocket;
  const typing = new TypingSignals(socket, { find, addressOf: async () => pn } as unknown as People);
  const signal = typing.signal('6281300000001', 'start');
  typing.stop();
  found({ kind: 'found', person });
  await expect(signal).rejects.toThrow('not connected');
  expect([sent, vi.getTimerCount()]).toEqual([[], 0]);
  vi.useRealTimers();
});
