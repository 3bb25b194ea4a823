/** The facts of a file that somebody sent. The file itself is not downloaded. */
import type { InboundMedia } from '@kurir/contracts';
import { LONGEST_WORD, plainText, type Whole, wholeNumber } from './plain-values.js';

/** The fields that WhatsApp's messages with a file have in common. Not each has all. */
export type FileMessage = {
  readonly mimetype?: string | null;
  readonly fileLength?: Whole;
  readonly fileName?: string | null;
  readonly title?: string | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
  readonly mediaKey?: Uint8Array | null;
  readonly directPath?: string | null;
  readonly seconds?: number | null;
  readonly width?: number | null;
  readonly height?: number | null;
};

const HASH_BYTES = 32;
const KEY_BYTES = 32;
const LONGEST_PATH = 2_048;

export function mediaOf(file: FileMessage): InboundMedia {
  return {
    mimeType: plainText(file.mimetype, LONGEST_WORD),
    sizeBytes: wholeNumber(file.fileLength, Number.MAX_SAFE_INTEGER),
    fileName: plainText(file.fileName, LONGEST_WORD) ?? plainText(file.title, LONGEST_WORD),
    sha256: bytesOf(file.fileSha256, HASH_BYTES)?.toString('hex') ?? null,
    seconds: wholeNumber(file.seconds),
    width: wholeNumber(file.width),
    height: wholeNumber(file.height),
    reference: referenceOf(file),
  };
}

/** The place and the keys of the encrypted file. Null: it cannot be fetched. */
function referenceOf({ mediaKey, directPath, fileEncSha256 }: FileMessage): string | null {
  const key = bytesOf(mediaKey, KEY_BYTES);
  const path = plainText(directPath, LONGEST_PATH);
  if (key === null || path === null || path !== directPath) return null;
  const encryptedHash = bytesOf(fileEncSha256, HASH_BYTES)?.toString('base64') ?? null;
  return JSON.stringify({ path, key: key.toString('base64'), encryptedHash });
}

function bytesOf(value: Uint8Array | null | undefined, length: number): Buffer | null {
  return value instanceof Uint8Array && value.length === length ? Buffer.from(value) : null;
}
