/**
 * Reads an inbound message before Baileys does, and leaves no trace: what reading changes in the Signal keys is thrown
 * away, so that Baileys can read it again, keep the change and acknowledge. In between the worker stores the message.
 */
import type { InboundMessage } from '@kurir/network';
import {
  addTransactionCapability,
  type AuthenticationState,
  type BinaryNode,
  decryptMessageNode,
  DEFAULT_CONNECTION_CONFIG,
  normalizeMessageContent,
  type SocketConfig,
  type WAMessage,
} from 'baileys';
import { numberOfJid } from './jid.js';

type Logger = SocketConfig['logger'];

/** Finds the phone number's address of a LID; null when it is not known. */
export type FindNumber = (lid: string) => Promise<string | null>;

export class InboundPreview {
  readonly #auth: AuthenticationState;
  readonly #findNumber: FindNumber;
  readonly #log: Logger;
  readonly #repository: ReturnType<SocketConfig['makeSignalRepository']>;

  constructor(auth: AuthenticationState, findNumber: FindNumber, log: Logger) {
    this.#auth = auth;
    this.#findNumber = findNumber;
    this.#log = log;
    const readOnly = { get: auth.keys.get, set: () => undefined };
    const keys = addTransactionCapability(readOnly, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, log);
  }

  /** `unreadable`: Baileys must see it, and may ask the sender for it again. `nothing`: no text of another person. */
  async read(stanza: BinaryNode): Promise<InboundMessage | 'nothing' | 'unreadable'> {
    const { id = '', lid = '' } = this.#auth.creds.me ?? {};
    try {
      const preview = decryptMessageNode(stanza, id, lid, this.#repository, this.#log);
      await preview.decrypt();
      if (!preview.fullMessage.message) return 'unreadable';
      return (await inboundOf(preview.fullMessage, this.#findNumber)) ?? 'nothing';
    } catch {
      // Baileys will meet the same, and has its ways.
      return 'unreadable';
    }
  }

  close(): void {
    this.#repository.close?.();
  }
}

/** Null when it is no text, or from ourselves, or from a LID whose phone number nobody told. */
export async function inboundOf(message: WAMessage, findNumber: FindNumber): Promise<InboundMessage | null> {
  const { key, messageTimestamp } = message;
  const content = normalizeMessageContent(message.message);
  const text = content?.conversation || content?.extendedTextMessage?.text;
  if (!text || !key.id || !key.remoteJid || key.fromMe) return null;
  const from =
    numberOfJid(key.remoteJid) ?? numberOfJid(key.remoteJidAlt) ?? numberOfJid(await findNumber(key.remoteJid));
  if (from === null) return null;
  return { networkMessageId: key.id, from, text, receivedAt: new Date(Number(messageTimestamp ?? 0) * 1_000) };
}
