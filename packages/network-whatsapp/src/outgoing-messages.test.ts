import { EventEmitter } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { WASocket } from 'baileys';
import { expect, test } from 'vitest';
import { NOT_CONNECTED, OutgoingMessages } from './outgoing-messages.js';
import type { Found, Recipients } from './recipients.js';

/** Sends that the network takes at once, to whatever address `find` gives. */
function open(find: () => Promise<Found>): OutgoingMessages {
  const ws = new EventEmitter();
  const sendMessage = async (_jid: string, _content: object, { messageId }: { messageId: string }) => {
    ws.emit('CB:ack,class:message', { tag: 'ack', attrs: { id: messageId } });
  };
  // All that a send asks of a socket and of the recipients.
  const socket = { ws, sendMessage } as unknown as WASocket;
  const recipients = { find } as unknown as Recipients;
  return new OutgoingMessages(socket, recipients, {
    ackTimeoutMs: 5_000,
    acknowledged: () => undefined,
    restrictedUntil: () => null,
    restricted: async () => undefined,
    reached: () => undefined,
  });
}

const message = (n: number) => ({ networkMessageId: `3EB0${n}`, recipient: '6281300000001', text: 'Halo' });

test('a message that was sent leaves nothing behind in a connection that stays open', async () => {
  const found: WeakRef<Found>[] = [];
  const outgoing = open(async () => {
    const recipient: Found = { kind: 'found', jid: '6281300000001@s.whatsapp.net' };
    found.push(new WeakRef(recipient));
    return recipient;
  });
  for (let n = 0; n < 100; n++) expect(await outgoing.send(message(n))).toEqual({ kind: 'sent' });
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // A weak reference holds until the turn that looked at it is over.
  await new Promise((resolve) => setTimeout(resolve, 1));
  collect();
  expect(found.filter((recipient) => recipient.deref() !== undefined).length).toBeLessThanOrEqual(1);
  outgoing.stop();
});

test('a connection that ends while an address is looked for answers that nothing was written', async () => {
  const outgoing = open(() => new Promise(() => undefined));
  const first = outgoing.send(message(1));
  const second = outgoing.send(message(2));
  await Promise.resolve();
  outgoing.stop();
  expect(await Promise.all([first, second])).toEqual([NOT_CONNECTED, NOT_CONNECTED]);
});
