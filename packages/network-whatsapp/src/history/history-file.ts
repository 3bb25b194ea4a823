/**
 * Opens one file of history, as the phone uploaded it: AES-256-CBC with a MAC behind it, zlib inside, a `HistorySync`
 * message inside that. What is not as announced is refused: the server that keeps the file is not trusted.
 */
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { getMediaKeys, proto } from 'baileys';
import { bytesField } from './protobuf-field.js';

const inflateAsync = promisify(inflate);

const MAC_BYTES = 10;
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
  return openHistory(await decrypt(sealed, mediaKey));
}

/** For a history that came inside its announcement. */
export async function openHistory(compressed: Uint8Array): Promise<History> {
  const opened = await inflateAsync(compressed, { maxOutputLength: MAX_OPENED_BYTES });
  return { sync: proto.HistorySync.decode(opened), salt: bytesField(opened, SALT_FIELD) };
}

async function decrypt(sealed: Uint8Array, mediaKey: Uint8Array): Promise<Uint8Array> {
  const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, 'md-msg-hist');
  if (macKey === undefined || macKey === null) throw new Error('no key for the MAC of a history file');
  const ciphertext = sealed.subarray(0, -MAC_BYTES);
  const mac = createHmac('sha256', macKey).update(iv).update(ciphertext).digest().subarray(0, MAC_BYTES);
  const given = sealed.subarray(-MAC_BYTES);
  if (given.length !== MAC_BYTES || !timingSafeEqual(mac, given)) throw new Error('a history file is damaged');
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}
