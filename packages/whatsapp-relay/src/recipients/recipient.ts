/**
 * Somebody to write to: a phone with one companion, which is a real client with real Signal keys. The client is
 * zapo-js, which shares no code with Baileys. It decrypts, shows each message once, counts the copies, and sends
 * receipts as people's clients do.
 */
import { WebSocket } from 'ws';
import { WaClient } from 'zapo-js/client';
import type { WaStore } from 'zapo-js/store';
import { parseJid, writeJid } from '../wire/jid.js';
import { memoryStore } from '../writing/memory-store.js';
import type { LinkedDevice, Phone } from '../phone/phone.js';
import { type Quoted, readQuoted, readText } from '../wire/protobuf.js';
import type { Relay } from '../server/relay.js';
import { Sequence } from '../switchboard/sequence.js';
import { child, children, type Stanza, stanza } from '../wire/stanza.js';
import { introduceResends } from './zapo-resend.js';

export type InboxMessage = {
  readonly id: string;
  /** Digits with country code. */
  readonly from: string;
  readonly text: string;
  /** The earlier message that this one quotes. */
  readonly quoted: Quoted | null;
  readonly receivedAt: Date;
  /** How many copies of this id the client decrypted. A person sees one message. */
  readonly copies: number;
};

export type SeenReceipt = { readonly id: string; readonly type: string };
export type SeenChatState = { readonly from: string; readonly state: string };

export interface Recipient {
  readonly number: string;
  readonly phone: Phone;
  /** The id of the reading companion among the phone's devices. */
  readonly deviceId: number;
  /** In the order of first arrival. */
  readonly inbox: readonly InboxMessage[];
  /** Receipts for messages of this recipient. The type is `delivered` when the stanza has none. */
  readonly receipts: readonly SeenReceipt[];
  readonly chatStates: readonly SeenChatState[];
  /** The message with this id, present or to come. With `copies`, it resolves after that many copies. */
  received(id: string, options?: { readonly copies?: number; readonly deadlineMs?: number }): Promise<InboxMessage>;
  receivedReceipt(id: string, type: string, deadlineMs?: number): Promise<SeenReceipt>;
  sawChatState(from: string, state: string, deadlineMs?: number): Promise<SeenChatState>;
  /** Writes to a number. Resolves with the message id when the server has acknowledged it. */
  send(to: string, text: string): Promise<string>;
  /** Reports a received message as read. */
  read(id: string): Promise<void>;
  typing(to: string, action: 'start' | 'stop'): Promise<void>;
  /** Forgets all Signal sessions. The client cannot decrypt the next messages and asks for them again. */
  loseSessions(): Promise<void>;
  /** Goes offline. Meanwhile the relay keeps messages for it. */
  disconnect(): Promise<void>;
  connect(): Promise<void>;
  close(): Promise<void>;
}

type Received = { -readonly [Key in keyof InboxMessage]: InboxMessage[Key] } & { readonly chatJid: string };

/** Generous: tests often link many recipients at once, on a machine that does other things too. */
const deadlineMs = 120_000;
const closeWithinMs = 10_000;
const sessionId = 'recipient';
const silent = { level: 'error', trace() {}, debug() {}, info() {}, warn() {}, error() {} } as const;

/**
 * Makes the phone of the number, links a client to it and waits until others can write to it. `earlier` holds the
 * messages of an earlier client of this recipient. They come first in the inbox.
 */
export async function createRecipient(
  relay: Relay,
  number: string,
  earlier: readonly InboxMessage[] = [],
): Promise<Recipient> {
  // Node 20 has no WebSocket of its own, and zapo-js 0.3.0 has no option for one.
  globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
  const phone = await relay.createPhone(number);
  const store = memoryStore();
  const client = new WaClient(
    {
      store,
      sessionId,
      chatSocketUrls: [relay.url],
      testHooks: { noiseRootCa: { publicKey: relay.rootPublicKey, serial: 0 } },
      history: { enabled: false },
    },
    silent,
  );
  introduceResends(client);
  const recipient = watch({ client, store, relay, phone }, earlier);
  try {
    const { id } = await link(client, relay, phone);
    return { ...recipient, deviceId: id };
  } catch (cause) {
    await recipient.close();
    throw new Error(`the recipient ${number} did not link`, { cause });
  }
}

type Parts = { readonly client: WaClient; readonly store: WaStore; readonly relay: Relay; readonly phone: Phone };

function watch(parts: Parts, earlier: readonly InboxMessage[]): Omit<Recipient, 'deviceId'> {
  const { client, store, relay, phone } = parts;
  const addressOf = (number: string) => addressFor(relay, phone, number);
  const inbox = new Sequence<Received>(`inbox of ${phone.number}`);
  for (const message of earlier) inbox.add({ ...message, chatJid: addressOf(message.from) });
  const receipts = new Sequence<SeenReceipt>(`receipts of ${phone.number}`);
  const chatStates = new Sequence<SeenChatState>(`chat states of ${phone.number}`);
  const logins = new Sequence<number>(`logins of ${phone.number}`);
  client.on('connection_success', () => logins.add(logins.all.length + 1));
  client.on('message', ({ rawNode, plaintext }) => take(inbox, parts, rawNode, plaintext));
  client.on('message_receipt', ({ rawNode }) => {
    for (const id of idsOf(rawNode)) receipts.add({ id, type: rawNode.attrs['type'] ?? 'delivered' });
  });
  client.on('chatstate', ({ rawNode }) => {
    chatStates.add({ from: numberOf(relay, rawNode), state: children(rawNode)[0]?.tag ?? '' });
  });
  return {
    number: phone.number,
    phone,
    inbox: inbox.all,
    receipts: receipts.all,
    chatStates: chatStates.all,
    received: (id, options = {}) =>
      inbox.when((message) => message.id === id && message.copies >= (options.copies ?? 1), options.deadlineMs),
    receivedReceipt: (id, type, deadline) => receipts.when((seen) => seen.id === id && seen.type === type, deadline),
    sawChatState: (from, state, deadline) =>
      chatStates.when((seen) => seen.from === from && seen.state === state, deadline),
    send: async (to, text) => (await client.sendMessage(addressOf(to), text)).id,
    read: async (id) => {
      const message = await inbox.when((received) => received.id === id);
      await client.sendReceipt({ to: message.chatJid, id, type: 'read' });
    },
    typing: (to, action) =>
      client.sendNode(
        stanza('chatstate', { to: addressOf(to) }, [stanza(action === 'start' ? 'composing' : 'paused')]),
      ),
    loseSessions: () => store.session(sessionId).session.clear(),
    disconnect: () => client.disconnect(),
    connect: async () => {
      const before = logins.all.length;
      await client.connect();
      await logins.when((count) => count > before, deadlineMs);
    },
    close: async () => {
      await endWithin(closeWithinMs, client.disconnect());
      await store.destroy();
    },
  };
}

/** On a busy machine zapo-js 0.3.0 may never finish its disconnect. The relay ends the socket when it closes. */
async function endWithin(ms: number, farewell: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([farewell, late]).finally(() => clearTimeout(timer));
}

function take(
  inbox: Sequence<Received>,
  { relay, phone }: Parts,
  node: Stanza,
  plaintext: Uint8Array | undefined,
): void {
  const text = plaintext ? readText(plaintext) : null;
  const quoted = plaintext ? readQuoted(plaintext) : null;
  const { id, from: chatJid } = node.attrs;
  const from = numberOf(relay, node);
  if (text === null || id === undefined || chatJid === undefined) return;
  if (from === phone.number) return;
  const known = inbox.all.find((received) => received.id === id && received.from === from);
  if (!known) return inbox.add({ id, from, text, quoted, receivedAt: new Date(), copies: 1, chatJid });
  known.copies += 1;
  inbox.changed(known);
}

/** Scans the newest code until one links, since a registration refresh makes the first one worthless. */
async function link(client: WaClient, relay: Relay, phone: Phone): Promise<LinkedDevice> {
  const linked = new Promise<LinkedDevice>((resolve) => {
    client.on('auth_qr', ({ qr }) => {
      phone.scan(qr, { restart: false }).then(
        resolve,
        // This code did not link. The next one may, until the deadline of the login.
        () => undefined,
      );
    });
  });
  const [device] = await Promise.all([linked, client.connect(), preKeysUploaded(relay, phone)]);
  return device;
}

function preKeysUploaded(relay: Relay, phone: Phone): Promise<unknown> {
  return relay.journal.when(
    (entry) =>
      entry.kind === 'query' && entry.query === 'pre-key-upload' && entry.device.startsWith(`${phone.number}:`),
    deadlineMs,
  );
}

/** The sender's phone number. A LID does not contain it, so this asks the relay. */
function numberOf(relay: Relay, { attrs }: Stanza): string {
  const jid = parseJid(attrs['sender_pn'] ?? attrs['from']);
  if (jid?.server !== 'lid') return jid?.user ?? '';
  return relay.findPhone(writeJid(jid.user, 'lid'))?.number ?? '';
}

/** The address that the server accepts from this phone's account. zapo-js 0.3.0 writes to any address that it gets. */
function addressFor(relay: Relay, phone: Phone, number: string): string {
  const lid = phone.isMigrated ? relay.findPhone(number)?.lid : undefined;
  return lid ?? writeJid(number, 's.whatsapp.net');
}

function idsOf(receipt: Stanza): readonly string[] {
  const more = children(child(receipt, 'list'), 'item').map((item) => item.attrs['id'] ?? '');
  return [receipt.attrs['id'] ?? '', ...more];
}
