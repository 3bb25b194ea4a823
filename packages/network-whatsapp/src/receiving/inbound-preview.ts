/**
 * Reads an inbound message before Baileys does, and changes nothing. The change of the Signal keys is dropped, so that
 * Baileys can decrypt the message again, store the change and acknowledge. The worker stores the message in between.
 */
import {
  type AuthenticationState,
  addTransactionCapability,
  type BinaryNode,
  DEFAULT_CONNECTION_CONFIG,
  decryptMessageNode,
  MISSING_KEYS_ERROR_TEXT,
  type SocketConfig,
  type WAMessage,
} from 'baileys';
import { isOnlyBeside } from '../contents/read-content.js';

type Logger = SocketConfig['logger'];

export type InboundPreviewOptions = { readonly auth: AuthenticationState; readonly log: Logger };

/**
 * - `unreadable`: the sender must send it again.
 * - `read-before`: its key is used up, so it was read and reported before.
 * - `isWhole: false`: a part of it was read before. Baileys would refuse the message.
 */
export type Read = { readonly message: WAMessage; readonly isWhole: boolean } | 'unreadable' | 'read-before';

/** Only these texts of Baileys and libsignal tell that a key is used up. */
const USED_UP = [MISSING_KEYS_ERROR_TEXT, 'Received message with old counter'];

export class InboundPreview {
  readonly #options: InboundPreviewOptions;
  readonly #keys: ReturnType<typeof addTransactionCapability>;
  readonly #repository: ReturnType<SocketConfig['makeSignalRepository']>;

  constructor(options: InboundPreviewOptions) {
    this.#options = options;
    const { auth, log } = options;
    const readOnly = { get: auth.keys.get, set: () => undefined };
    this.#keys = addTransactionCapability(readOnly, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
    this.#repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: auth.creds, keys: this.#keys }, log);
  }

  async read(stanza: BinaryNode): Promise<Read> {
    const { auth, log } = this.#options;
    const { id = '', lid = '' } = auth.creds.me ?? {};
    try {
      const preview = decryptMessageNode(stanza, id, lid, this.#repository, log);
      // A group's message may bring its own key in another part. In a transaction, the key is there for the next part.
      await this.#keys.transaction(() => preview.decrypt(), stanza.attrs['from'] ?? '');
      return readOf(preview.fullMessage);
    } catch {
      return 'unreadable';
    }
  }

  close(): void {
    this.#repository.close?.();
  }
}

function readOf(read: WAMessage): Read {
  const { message, messageStubParameters } = read;
  const [trouble] = messageStubParameters ?? [];
  if (message && trouble === undefined) return { message: read, isWhole: true };
  if (message && !isOnlyBeside(message)) return { message: read, isWhole: false };
  return USED_UP.some((text) => trouble?.startsWith(text)) ? 'read-before' : 'unreadable';
}
