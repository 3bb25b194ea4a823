import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { textContent } from '@kurir/contracts';
import type { WASocket } from 'baileys';
import { expect, test } from 'vitest';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { FoundPerson, People } from '../people/people.js';
import type { Composer } from './composer.js';
import { NOT_CONNECTED, OutgoingMessages } from './outgoing-messages.js';

/** Sends messages that the network acknowledges at once. `find` returns the address. */
function open(find: () => Promise<FoundPerson>): OutgoingMessages {
  const ws = new EventEmitter();
  const sendNode = async ({ attrs: { id } }: { attrs: { id: string } }) => {
    ws.emit('CB:ack,class:message', { tag: 'ack', attrs: { id } });
  };
  const compose = async ({ networkMessageId: id }: { networkMessageId: string }) => {
    return { kind: 'composed', stanza: { tag: 'message', attrs: { id } }, participantHash: '' };
  };
  const addressOf = async ({ pn }: { pn: string }) => pn;
  // The parts of a socket and of `People` that a send uses.
  const socket = { ws, sendNode } as unknown as WASocket;
  const people = { find, addressOf, noteTry: async () => undefined } as unknown as People;
  const composer = { compose } as unknown as Composer;
  const tokens = { vouch: async () => undefined } as unknown as ContactTokens;
  return new OutgoingMessages(
    socket,
    { people, composer, tokens },
    {
      ackTimeoutMs: 5_000,
      acknowledged: () => undefined,
      restriction: () => null,
      askLimits: async () => undefined,
    },
  );
}

const message = (n: number) => ({
  networkMessageId: `3EB0${n}`,
  recipient: '6281300000001',
  content: textContent('Halo'),
});

test('a message that was sent leaves nothing behind in a connection that stays open', async () => {
  const found: WeakRef<FoundPerson>[] = [];
  const outgoing = open(async () => {
    const person = { pn: '6281300000001@s.whatsapp.net', lid: null, prefers: null, tries: {} };
    const recipient: FoundPerson = { kind: 'found', person };
    found.push(new WeakRef(recipient));
    return recipient;
  });
  for (let n = 0; n < 100; n++) expect(await outgoing.send(message(n))).toEqual({ kind: 'sent' });
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // A weak reference keeps its target until the turn that dereferenced it has ended.
  await new Promise((resolve) => setTimeout(resolve, 1));
  collect();
  expect(found.filter((recipient) => recipient.deref() !== undefined).length).toBeLessThanOrEqual(1);
  outgoing.stop();
});

test('a send whose connection ends during the look-up of the address resolves as not sent', async () => {
  const outgoing = open(() => new Promise(() => undefined));
  const first = outgoing.send(message(1));
  const second = outgoing.send(message(2));
  await Promise.resolve();
  outgoing.stop();
  expect(await Promise.all([first, second])).toEqual([NOT_CONNECTED, NOT_CONNECTED]);
});
