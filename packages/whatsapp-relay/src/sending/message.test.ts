import { proto, WAMessageStatus as Status } from 'baileys';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRecipient, createRelay, type Phone, type Recipient, type Relay } from '../index.js';
import { Companion, Credentials, linkCompanion } from '../../test/companion.js';

const sender = '4915100000001';

describe('messages between Baileys and zapo-js', () => {
  let relay: Relay;
  let phone: Phone;
  let companion: Companion;
  let recipient: Recipient;
  let other = '';
  let numbers = 4915300000000;
  const sent = new Map<string, string>();

  async function send(text: string, id: string): Promise<void> {
    sent.set(id, text);
    expect((await companion.send(other, text, id)).error).toBeUndefined();
  }

  function vouched(): Promise<unknown> {
    return relay.journal.when(
      (entry) => entry.kind === 'query' && entry.query === 'privacy-tokens' && entry.about.includes(other),
    );
  }

  beforeAll(async () => {
    relay = await createRelay();
    phone = await relay.createPhone(sender);
    companion = await linkCompanion(relay, phone, undefined, {
      getMessage: async ({ id }) => proto.Message.create({ conversation: sent.get(id ?? '') ?? '' }),
    });
  });

  beforeEach(async () => {
    await recipient?.close();
    numbers += 1;
    other = String(numbers);
    recipient = await createRecipient(relay, other);
  });

  afterAll(async () => {
    await companion.close();
    await recipient.close();
    await relay.close();
  });

  it('delivers a message that was sent while the recipient was offline', async () => {
    await recipient.disconnect();
    await send('later', 'OFFLINE');
    // The message and a token: Baileys issues a token to a new contact.
    await vouched();
    expect(recipient.phone.devices()).toMatchObject([{ connected: false, backlog: 2 }]);
    expect(recipient.inbox).toEqual([]);
    await recipient.connect();
    expect(await recipient.received('OFFLINE')).toMatchObject({ text: 'later', copies: 1 });
    await companion.status('OFFLINE', Status.DELIVERY_ACK);
    expect(recipient.phone.devices()).toMatchObject([{ connected: true, backlog: 0 }]);
  });

  it('shows a message once if it was sent twice under one id', async () => {
    await send('twice', 'SAME');
    await recipient.received('SAME');
    await send('twice', 'SAME');
    expect(await recipient.received('SAME', { copies: 2 })).toMatchObject({ copies: 2 });
    expect(recipient.inbox).toHaveLength(1);
  });

  it('acknowledges, delivers the text and returns the receipts', async () => {
    await send('hello', 'PLAIN');
    expect(await recipient.received('PLAIN')).toMatchObject({ from: sender, text: 'hello', copies: 1 });
    await companion.status('PLAIN', Status.DELIVERY_ACK);
    await recipient.read('PLAIN');
    await companion.status('PLAIN', Status.READ);
  });

  it('needs queries and pre-keys for the first message to a person, and none for the second', async () => {
    const { position } = relay.journal;
    await send('first', 'FIRST');
    const first = relay.journal.counters({ from: sender, since: position });
    // The recipient's phone and companion. The sender's own phone is known since an earlier message.
    expect(first).toMatchObject({ messages: 1, copies: 3, oneTimePreKeysUsed: 2 });
    expect(first.usyncQueries).toBeGreaterThan(0);
    await recipient.received('FIRST');
    const second = relay.journal.position;
    await send('second', 'SECOND');
    await recipient.received('SECOND');
    const costs = relay.journal.counters({ from: sender, since: second });
    expect(costs).toMatchObject({ copies: 3, usyncQueries: 0, preKeyFetches: 0, oneTimePreKeysUsed: 0 });
    // Baileys 7.0.0-rc14 issues a token with every message, because it records the first one in a transaction that has
    // ended.
    const kinds = relay.journal.of('query', { from: sender, since: second }).map(({ query }) => query);
    expect(kinds.filter((kind) => kind !== 'privacy-tokens')).toEqual([]);
  });

  it('delivers an answer of the recipient, and returns its receipts', async () => {
    const id = await recipient.send(sender, 'an answer');
    const message = await companion.messages.when(({ key }) => key.id === id);
    expect(message.message?.conversation ?? message.message?.extendedTextMessage?.text).toBe('an answer');
    expect(message.key).toMatchObject({ remoteJid: `${other}@s.whatsapp.net`, fromMe: false });
    await recipient.receivedReceipt(id, 'delivered');
    await companion.socket.readMessages([message.key]);
    await recipient.receivedReceipt(id, 'read');
  });

  it('delivers a message again to a companion that lost its sessions', async () => {
    const credentials = new Credentials();
    const own = await relay.createPhone('4915100000008');
    const losing = await linkCompanion(relay, own, credentials);
    const first = await recipient.send(own.number, 'before');
    await losing.messages.when(({ key }) => key.id === first);
    await losing.send(other, 'both have a session now', 'BOTH');
    await recipient.received('BOTH');
    credentials.forgetSessions();
    const id = await recipient.send(own.number, 'asked for again');
    await losing.messages.when(
      ({ key, message }) =>
        key.id === id && (message?.conversation ?? message?.extendedTextMessage?.text) !== undefined,
    );
    const resends = relay.journal.of('message', { from: other }).filter((sent) => sent.id === id && sent.isSingle);
    expect(resends.at(-1)).toMatchObject({ copies: [{ encryption: 'pkmsg' }], error: null });
    await losing.close();
  });

  it('sends an unacknowledged stanza again, marked as old', async () => {
    const credentials = new Credentials();
    const away = await relay.createPhone('4915100000009');
    const first = await linkCompanion(relay, away, credentials);
    first.socket.ws.once('CB:message', () => away.cut(1, 'reset'));
    const id = await recipient.send(away.number, 'not lost');
    await first.closed();
    expect(away.devices()).toMatchObject([{ backlog: 1 }]);
    const second = new Companion(relay, credentials);
    const again = new Promise<Record<string, string>>((resolve) => {
      second.socket.ws.once('CB:message', (message: { attrs: Record<string, string> }) => resolve(message.attrs));
    });
    expect(await again).toMatchObject({ id, offline: '1' });
    await second.close();
  });

  it('sends a copy to the sender’s other companion', async () => {
    const second = await linkCompanion(relay, phone);
    await send('seen on both', 'SIBLING');
    const copy = await second.messages.when(({ key }) => key.id === 'SIBLING');
    expect(copy.key).toMatchObject({ fromMe: true, remoteJid: `${other}@s.whatsapp.net` });
    await second.close();
  });

  it('shows typing on both sides', async () => {
    await companion.socket.sendPresenceUpdate('composing', `${other}@s.whatsapp.net`);
    await recipient.sawChatState(sender, 'composing');
    await companion.socket.sendPresenceUpdate('paused', `${other}@s.whatsapp.net`);
    await recipient.sawChatState(sender, 'paused');
    await recipient.typing(sender, 'start');
    await companion.presences.when(({ id, state }) => id.startsWith(other) && state === 'composing');
    await recipient.typing(sender, 'stop');
    await companion.presences.when(({ id, state }) => id.startsWith(other) && state === 'available');
  });

  it('tells subscribers who is online', async () => {
    await companion.socket.presenceSubscribe(`${other}@s.whatsapp.net`);
    await companion.presences.when(({ id, state }) => id.startsWith(other) && state === 'unavailable');
  });

  it('shows only the LID of a person who hides the number', async () => {
    recipient.phone.hideNumber(true);
    await send('hidden', 'HIDDEN');
    await recipient.received('HIDDEN');
    await companion.status('HIDDEN', Status.DELIVERY_ACK);
    const id = await recipient.send(sender, 'from behind a LID');
    const { key } = await companion.messages.when((message) => message.key.id === id);
    expect(key.remoteJid).toBe(recipient.phone.lid);
    expect(key.remoteJidAlt).toBeUndefined();
  });

  it('records a message to a number that nobody has', async () => {
    await companion.socket.sendMessage('4900000000000@s.whatsapp.net', { text: 'anyone?' }, { messageId: 'NOBODY' });
    expect((await companion.acknowledged('NOBODY')).error).toBeUndefined();
    const [message] = relay.journal.of('message', { from: sender }).filter(({ id }) => id === 'NOBODY');
    expect(message).toMatchObject({ recipient: null, outcome: 'acknowledged' });
    expect(message?.copies.filter(({ device }) => !device.startsWith(sender))).toEqual([]);
    expect(await companion.socket.onWhatsApp('4900000000000')).toEqual([]);
    expect(await companion.socket.onWhatsApp(other)).toMatchObject([{ exists: true }]);
  });
});
