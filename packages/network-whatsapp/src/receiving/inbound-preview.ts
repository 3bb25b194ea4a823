/**
 * Reads an inbound message before Baileys does, and changes nothing. The change of the Signal keys is dropped, so that
 * Baileys can decrypt the message again, store the change and acknowledge. The worker stores the message in between.
 */
import type { InboundMessage } from '@kurir/network';
import {
  type AuthenticationState,
  addTransactionCapability,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  decryptMessageNode,
  MISSING_KEYS_ERROR_TEXT,
  normalizeMessageContent,
  type SocketConfig,
  type WAMessage,
} from 'baileys';
import { numberOfJid } from '../socket/jid.js';

type Logger = SocketConfig['logger'];

export type Numbers = {
  /** The address of the phone number that belongs to a LID, or null when it is not known. */
  findNumber(lid: string): Promise<string | null>;
  /** The number as the customer writes it, if that differs from the digits of the network. */
  writtenNumber(digits: string): Promise<string>;
};

export type InboundPreviewOptions = { readonly auth: AuthenticationState; readonly log: Logger };

export class InboundPreview {
  readonly #options: InboundPreviewOptions;
  readonly #repository: ReturnType<SocketConfig['makeSignalRepository']>;

  constructor(options: InboundPreviewOptions) {
    this.#options = options;
    const { auth, log } = options;
    const readOnly = { get: auth.keys.get, set: () => undefined };
    const keys = addTransactionCapability(readOnly, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys }, log);
  }

  /**
   * `unreadable`: the sender must send it again. `read-before`: its key is used up, so it was read and reported before.
   */
  async read(stanza: BinaryNode): Promise<WAMessage | 'unreadable' | 'read-before'> {
    const { auth, log } = this.#options;
    const { id = '', lid = '' } = auth.creds.me ?? {};
    try {
      const preview = decryptMessageNode(stanza, id, lid, this.#repository, log);
      await preview.decrypt();
      const { message, messageStubParameters: trouble } = preview.fullMessage;
      // Only this text of Baileys tells it.
      if (!message) return trouble?.[0] === MISSING_KEYS_ERROR_TEXT ? 'read-before' : 'unreadable';
      return preview.fullMessage;
    } catch {
      return 'unreadable';
    }
  }

  close(): void {
    this.#repository.close?.();
  }
}

/** Null when the message is no text, is from this account, or is from a LID whose phone number is not known. */
export async function inboundOf(message: WAMessage, numbers: Numbers): Promise<InboundMessage | null> {
  const { key, messageTimestamp } = message;
  const content = normalizeMessageContent(message.message);
  const text = content?.conversation || content?.extendedTextMessage?.text;
  if (!text || !key.id || !key.remoteJid || key.fromMe) return null;
  const digits =
    numberOfJid(key.remoteJid) ?? numberOfJid(key.remoteJidAlt) ?? numberOfJid(await numbers.findNumber(key.remoteJid));
  if (digits === null) return null;
  const phone = await numbers.writtenNumber(digits);
  return {
    kind: 'message',
    networkMessageId: key.id,
    chat: { id: phone, type: 'direct' },
    person: { userId: phone, phone, username: null, name: null },
    content: { type: 'text', text },
    replyTo: null,
    forwarded: false,
    offline: false,
    sentAt: new Date(Number(messageTimestamp ?? 0) * 1_000),
  };
}
