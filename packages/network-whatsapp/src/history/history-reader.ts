/**
 * Reads the messages of the account's own phone that sending needs. The first history has three things: tokens of
 * people who know this account, the LIDs of numbers, and the salt of first-contact tokens. Chats and texts are dropped.
 * A migration message says that the account's chats are addressed by LID from now on.
 *
 * A download goes through the device's proxy. If one fails, the reader retries a few times, then gives up. Without the
 * history, the network may refuse first messages until the person writes. A download that a session does not finish
 * starts again in the next session.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { normalizeMessageContent, proto, type WAMessage, type WASocket } from 'baileys';
import type { AccountFacts } from '../people/account-facts.js';
import type { ContactTokens } from '../people/contact-tokens.js';
import type { DriverLog } from '../socket/driver-log.js';
import { isLid } from '../socket/jid.js';
import type { Download } from './file-download.js';
import { type History, openHistory, openHistoryFile } from './history-file.js';

const { INITIAL_BOOTSTRAP, NON_BLOCKING_DATA } = proto.HistorySync.HistorySyncType;
const WANTED: ReadonlySet<number> = new Set([INITIAL_BOOTSTRAP, NON_BLOCKING_DATA]);

const MIGRATION = proto.Message.ProtocolMessage.Type.LID_MIGRATION_MAPPING_SYNC;

const MAX_FILE_BYTES = 32 * 1024 * 1024;
const TRIES = 3;
const RETRY_MS = 5_000;

export type HistoryReaderParts = {
  readonly facts: AccountFacts;
  readonly tokens: ContactTokens;
  readonly log: DriverLog;
  readonly download: Download;
};

type Announcement = proto.Message.IHistorySyncNotification;

export class HistoryReader {
  readonly #socket: WASocket;
  readonly #parts: HistoryReaderParts;
  readonly #over = new AbortController();

  constructor(socket: WASocket, parts: HistoryReaderParts) {
    this.#socket = socket;
    this.#parts = parts;
  }

  stop(): void {
    this.#over.abort();
  }

  /**
   * Resolves when the content is stored or given up; the message is acknowledged after that. Never rejects. Only this
   * account's own phone announces a history or a migration.
   */
  async take({ key, message }: WAMessage): Promise<void> {
    const told = key.fromMe ? normalizeMessageContent(message)?.protocolMessage : null;
    // A store that rejects has ended the session already.
    if (told?.type === MIGRATION)
      await this.#parts.facts.set('addressing', { lidMigrated: true }).catch(() => undefined);
    const announcement = told?.historySyncNotification;
    if (!announcement || !WANTED.has(Number(announcement.syncType))) return;
    for (let left = TRIES; left > 0 && !this.#over.signal.aborted; left -= 1) {
      try {
        return await this.#store(await this.#open(announcement));
      } catch (err) {
        this.#parts.log.warn({ err }, 'the first history of an account could not be read');
        if (left > 1) await sleep(RETRY_MS, undefined, { signal: this.#over.signal }).catch(() => undefined);
      }
    }
  }

  async #open({ initialHistBootstrapInlinePayload: inline, directPath, mediaKey }: Announcement): Promise<History> {
    if (inline?.length) return openHistory(inline);
    if (!directPath || !mediaKey) throw new Error('an announcement of history says not where it is');
    const file = { directPath, maxBytes: MAX_FILE_BYTES, signal: this.#over.signal };
    return openHistoryFile(await this.#parts.download(file), mediaKey);
  }

  async #store({ pairs, tokens, salt }: History): Promise<void> {
    const { lidMapping } = this.#socket.signalRepository;
    if (pairs.length > 0) await lidMapping.storeLIDPNMappings([...pairs]);
    // Baileys keeps all LIDs in memory; `close` only empties that.
    lidMapping.close();
    const lids = new Map(pairs.map(({ lid, pn }) => [pn, lid]));
    for (const { jid, lid, token, timestamp } of tokens) {
      const owner = isLid(jid) ? jid : (lid ?? lids.get(jid) ?? jid);
      await this.#parts.tokens.note(owner, token, timestamp);
    }
    if (salt === null || salt.length === 0) return;
    await this.#parts.facts.set('first-contact-salt', { salt: Buffer.from(salt).toString('base64') });
  }
}
