/** Finds what is wrong with a file before it is sent. */
import { limits } from '@kurir/contracts/dashboard';
import type { FileTrouble } from './problem-texts.js';

/** The file cannot be sent, and a person can mend that. */
export class FileTroubleError extends Error {
  override readonly name = 'FileTroubleError';
  readonly trouble: FileTrouble;

  constructor(trouble: FileTrouble, options?: ErrorOptions) {
    super(trouble, options);
    this.trouble = trouble;
  }
}

/** The first bytes of a packed workbook (.xlsx, .ods, .numbers), and of an old one (.xls). */
const workbookStarts = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

export async function troubleOf(file: Pick<Blob, 'size' | 'slice'>): Promise<FileTrouble | null> {
  if (file.size === 0) return 'empty';
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  if (workbookStarts.some((bytes) => bytes.every((byte, i) => start[i] === byte))) return 'workbook';
  return file.size > limits.uploadMaxBytes ? 'too_big' : null;
}
