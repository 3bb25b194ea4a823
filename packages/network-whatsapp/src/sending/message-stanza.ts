/**
 * Makes the stanza of a message, with one encrypted copy for each device of the recipient and for each other device of
 * the account.
 *
 * The change of the Signal keys is committed in one write with `rows`, before the stanza is returned. A crash after
 * that leaves a gap in the ratchet, which receivers skip; no key is used twice. Baileys' own sending commits after it
 * has written to the network, and cannot set `peer_recipient_pn`.
 */
import { randomBytes } from 'node:crypto';
import type { Content } from '@kurir/contracts';
import {
  type BinaryNode,
  encodeSignedDeviceIdentity,
  encodeWAMessage,
  proto,
  type SignalDataSet,
  type WASocket,
} from 'baileys';
import { getMessageReportingToken } from 'baileys/lib/Utils/reporting-utils.js';
import { isLid } from '../socket/jid.js';
import { type Quote, renderContent } from './render-content.js';

export type Copies = {
  /** The devices of the recipient; never empty. */
  readonly theirs: readonly string[];
  /** The account's other devices, which show sent messages. */
  readonly own: readonly string[];
};

export type Outgoing = {
  readonly id: string;
  readonly to: string;
  /** The recipient's address by number, if `to` is a LID. */
  readonly peerNumber: string | null;
  readonly content: Content;
  readonly quote: Quote | null;
  readonly token: BinaryNode | null;
};

/** The keys of a device cannot encrypt the message. */
export class NotEncrypted extends Error {
  override readonly name = 'NotEncrypted';

  constructor(
    readonly device: string,
    cause: unknown,
  ) {
    super('a device could not be encrypted for', { cause });
  }
}

/** Rejects with `NotEncrypted`, or as the store does. Nothing was written to the network then. */
export function sealMessage(
  socket: WASocket,
  { id, to, peerNumber, content, quote, token }: Outgoing,
  copies: Copies,
  rows: SignalDataSet,
): Promise<BinaryNode> {
  const context = { messageContextInfo: { messageSecret: randomBytes(32) } };
  const rendered = renderContent(content, quote);
  const message: proto.IMessage = { ...rendered.message, ...context };
  const copy: proto.IMessage = { deviceSentMessage: { destinationJid: to, message }, ...context };
  return inTransaction(socket, rows, async () => {
    const participants: BinaryNode[] = [];
    let introduces = false;
    const seal = async (device: string, sealed: proto.IMessage): Promise<void> => {
      const enc = await encrypt(socket, device, sealed);
      introduces ||= enc.attrs['type'] === 'pkmsg';
      participants.push({ tag: 'to', attrs: { jid: device }, content: [enc] });
    };
    for (const device of copies.own) await seal(device, copy);
    for (const device of copies.theirs) await seal(device, message);
    const nodes: BinaryNode[] = [{ tag: 'participants', attrs: {}, content: participants }];
    if (introduces) nodes.push(identityOf(socket));
    nodes.push(...(await reportingOf(message, id, to)));
    if (token !== null) nodes.push(token);
    const peer = peerNumber !== null && isLid(to) ? { peer_recipient_pn: peerNumber } : {};
    return { tag: 'message', attrs: { id, to, type: rendered.type, ...peer }, content: nodes };
  });
}

export type Resend = {
  readonly id: string;
  /** The device that asked. */
  readonly device: string;
  readonly content: Content;
  readonly quote: Quote | null;
  /** The count in the receipt: how often the device has asked. */
  readonly count: string;
  /** The recipient of the message, if one of the account's own devices asks; else null. */
  readonly writtenTo: string | null;
  readonly token: BinaryNode | null;
};

/**
 * Makes the resend for one device that could not decrypt. It has one `enc` and no `participants`: the server refuses
 * both together with 479 (Baileys #2781). Attributes as in whatsmeow `retry.go`.
 */
export function sealResend(socket: WASocket, resend: Resend): Promise<BinaryNode> {
  const { id, device, count, writtenTo, token } = resend;
  const { message, type } = renderContent(resend.content, resend.quote);
  const own = { deviceSentMessage: { destinationJid: writtenTo, message } };
  return inTransaction(socket, {}, async () => {
    const enc = await encrypt(socket, device, writtenTo === null ? message : own, { count });
    const content = [enc];
    if (enc.attrs['type'] === 'pkmsg') content.push(identityOf(socket));
    if (token !== null) content.push(token);
    const attrs = { id, to: device, type, device_fanout: 'false' };
    return { tag: 'message', attrs: writtenTo === null ? attrs : { ...attrs, recipient: writtenTo }, content };
  });
}

/** Changes all Signal keys of a device under one lock (see `one-transaction.ts`), and stores `rows` with them. */
function inTransaction<T>(socket: WASocket, rows: SignalDataSet, work: () => Promise<T>): Promise<T> {
  const { creds, keys } = socket.authState;
  return keys.transaction(async () => {
    const done = await work();
    await keys.set(rows);
    return done;
  }, creds.me?.id ?? '');
}

async function encrypt(
  socket: WASocket,
  device: string,
  content: proto.IMessage,
  attrs: Record<string, string> = {},
): Promise<BinaryNode> {
  const data = encodeWAMessage(content);
  try {
    const { type, ciphertext } = await socket.signalRepository.encryptMessage({ jid: device, data });
    return { tag: 'enc', attrs: { v: '2', type, ...attrs }, content: ciphertext };
  } catch (cause) {
    throw new NotEncrypted(device, cause);
  }
}

function identityOf({ authState: { creds } }: WASocket): BinaryNode {
  if (creds.account === undefined) throw new Error('the login has no signed identity');
  return { tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(creds.account, true) };
}

/** The token that a recipient sends along to report a message. Official clients attach it to each text. */
async function reportingOf(message: proto.IMessage, id: string, to: string): Promise<BinaryNode[]> {
  const encoded = proto.Message.encode(message).finish();
  const token = await getMessageReportingToken(Buffer.from(encoded), message, { id, fromMe: true, remoteJid: to });
  return token === null ? [] : [token];
}
