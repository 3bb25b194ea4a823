/**
 * Opens one file of history, as the phone uploaded it: an encrypted and zlib-compressed `HistorySync` message. The
 * phone belongs to a customer, so the file must not fill the memory of a worker. Chats are read one at a time, and
 * never more chats than a phone has.
 */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { isLidUser, isPnUser, jidNormalizedUser, proto, toNumber } from 'baileys';
import { openFile } from './encrypted-file.js';
import { bytesFields } from './protobuf-field.js';

const inflateAsync = promisify(inflate);

/** More than a phone's first history with all its chats. */
const MAX_OPENED_BYTES = 64 * 1024 * 1024;
const MOST_ENTRIES = 20_000;

/**
 * Fields of `HistorySync` (whatsmeow `WAWebProtobufsHistorySync.proto`). Baileys 7.0.0-rc14 does not know the last one.
 */
const CHATS_FIELD = 2;
const LIDS_FIELD = 15;
const SALT_FIELD = 19;

export type History = {
  readonly pairs: readonly { readonly lid: string; readonly pn: string }[];
  readonly tokens: readonly HistoryToken[];
  /** The salt of the account's first-contact tokens; null when the file has none. */
  readonly salt: Uint8Array | null;
};

/** A token that a person gave us, under the address of the chat. `lid` is the person's LID, if the chat names it. */
export type HistoryToken = {
  readonly jid: string;
  readonly lid: string | null;
  readonly token: Uint8Array;
  readonly timestamp: number;
};

/** Rejects when the file is damaged or too big. */
export async function openHistoryFile(sealed: Uint8Array, mediaKey: Uint8Array): Promise<History> {
  return openHistory(await openFile(sealed, mediaKey, 'md-msg-hist'));
}

/** Opens a history that was sent inside its announcement. */
export async function openHistory(compressed: Uint8Array): Promise<History> {
  const opened = await inflateAsync(compressed, { maxOutputLength: MAX_OPENED_BYTES });
  const pairs: { lid: string; pn: string }[] = [];
  const tokens: HistoryToken[] = [];
  let salt: Uint8Array | null = null;
  let entries = 0;
  for (const { field, bytes } of bytesFields(opened)) {
    if (field === SALT_FIELD) salt = Buffer.from(bytes);
    if (field !== CHATS_FIELD && field !== LIDS_FIELD) continue;
    entries += 1;
    if (entries > MOST_ENTRIES) throw new Error('a history with more chats than a phone has');
    if (field === LIDS_FIELD) {
      const { lidJid, pnJid } = proto.PhoneNumberToLIDMapping.decode(bytes);
      pairs.push(...pairOf(lidJid, pnJid));
    } else {
      const chat = proto.Conversation.decode(bytes);
      pairs.push(...pairOf(chat.lidJid ?? chat.id, chat.pnJid ?? chat.id));
      tokens.push(...tokenOf(chat));
    }
  }
  return { pairs, tokens, salt };
}

function pairOf(lid: string | null | undefined, pn: string | null | undefined): { lid: string; pn: string }[] {
  return lid && pn && isLidUser(lid) && isPnUser(pn) ? [{ lid, pn }] : [];
}

function tokenOf({ id, lidJid, tcToken, tcTokenTimestamp }: proto.Conversation): HistoryToken[] {
  if (!id || !tcToken?.length || !tcTokenTimestamp) return [];
  const jid = jidNormalizedUser(id);
  // A copy, because the bytes are a part of the whole history.
  return [{ jid, lid: lidJid ?? null, token: Buffer.from(tcToken), timestamp: toNumber(tcTokenTimestamp) }];
}
