/** Opens one file of history, as the phone uploaded it: encrypted, zlib inside, a `HistorySync` message inside that. */
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { proto } from 'baileys';
import { openFile } from './encrypted-file.js';
import { bytesField } from './protobuf-field.js';

const inflateAsync = promisify(inflate);

/** Of the message; a phone's first history with all its chats takes a few. */
const MAX_OPENED_BYTES = 64 * 1024 * 1024;
/** `HistorySync.nctSalt` (whatsmeow `WAWebProtobufsHistorySync.proto`), which Baileys 7.0.0-rc14 does not know. */
const SALT_FIELD = 19;

export type History = {
  readonly sync: proto.HistorySync;
  /** The salt of the account's first-contact tokens; null when the file has none. */
  readonly salt: Uint8Array | null;
};

/** Rejects when the file is damaged or too big. */
export async function openHistoryFile(sealed: Uint8Array, mediaKey: Uint8Array): Promise<History> {
  return openHistory(await openFile(sealed, mediaKey, 'md-msg-hist'));
}

/** For a history that came inside its announcement. */
export async function openHistory(compressed: Uint8Array): Promise<History> {
  const opened = await inflateAsync(compressed, { maxOutputLength: MAX_OPENED_BYTES });
  return { sync: proto.HistorySync.decode(opened), salt: bytesField(opened, SALT_FIELD) };
}
