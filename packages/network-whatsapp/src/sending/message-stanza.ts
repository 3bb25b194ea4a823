/**
 * Makes the stanza of a message: one encrypted copy for each device of the recipient and for the account's other devices.
 *
 * What encrypting changes in the Signal keys is committed before the stanza is returned, in one write with `rows`. A
 * crash after it leaves a gap in the ratchet, which receivers skip; a key is never used twice. Baileys' own sending
 * commits after it has written, and cannot say `peer_recipient_pn`.
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
import { renderContent } from './render-content.js';

export type Copies = {
  /** Devices of the recipient; never empty. */
  readonly theirs: readonly string[];
  /** The account's other devices, which show what was sent. */
  readonly own: readonly string[];
};

export type Outgoing = {
  readonly id: string;
  readonly to: string;
  /** The recipient's number address where `to` is a LID. */
  readonly peerNumber: string | null;
  readonly content: Content;
  readonly token: BinaryNode | null;
};

/** A device has keys of which encrypting makes nothing. */
export class NotEncrypted extends Error {
  override readonly name = 'NotEncrypted';

  constructor(
    readonly device: string,
    cause: unknown,
  ) {
    super('a device could not be encrypted for', { cause });
  }
}

/** Rejects with `NotEncrypted`, or as the store does: nothing was written to the network then. */
export function sealMessage(
  socket: WASocket,
  { id, to, peerNumber, content, token }: Outgoing,
  copies: Copies,
  rows: SignalDataSet,
): Promise<BinaryNode> {
  const context = { messageContextInfo: { messageSecret: randomBytes(32) } };
  const rendered = renderContent(content);
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
  /** How often it has asked, as it says. */
  readonly count: string;
  /** Set where one of the account's own devices asks: whom the message was written to. */
  readonly writtenTo: string | null;
  readonly token: BinaryNode | null;
};

/**
 * The answer to one device that could not read: one `enc` and no `participants`; the server refuses both together with
 * 479 (Baileys #2781). Attributes as in whatsmeow `retry.go`.
 */
export function sealResend(socket: WASocket, resend: Resend): Promise<BinaryNode> {
  const { id, device, count, writtenTo, token } = resend;
  const { message, type } = renderContent(resend.content);
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

/** All Signal keys of a device change under one lock (see `one-transaction.ts`), with the rows beside them. */
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

/** What a recipient hands in when reporting a message; official clients send it with each text. */
async function reportingOf(message: proto.IMessage, id: string, to: string): Promise<BinaryNode[]> {
  const encoded = proto.Message.encode(message).finish();
  const token = await getMessageReportingToken(Buffer.from(encoded), message, { id, fromMe: true, remoteJid: to });
  return token === null ? [] : [token];
}
