/** Turns the bytes of a file into text, in slices. It finds the encoding from the first bytes. */
import { RowFileError } from './file-problems.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The form of a file is decided by its first bytes. Any way of cutting the file gives the same form. */
export const sampleBytes = 64 * 1024;
/** Each slice is worked on without a pause, so it is short. */
const sliceBytes = 16 * 1024;

const packed = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x1f, 0x8b],
];

const startsWith = (bytes: Uint8Array, head: readonly number[]) => head.every((byte, i) => bytes[i] === byte);

/** Whether most bytes at these places are zero, as in UTF-16 text of Latin letters. */
function isMostlyZero(bytes: Uint8Array, from: 0 | 1): boolean {
  let [zeros, looked] = [0, 0];
  for (let i = from; i < bytes.length; i += 2, looked++) if (bytes[i] === 0) zeros++;
  return looked > 1 && zeros / looked > 0.6;
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    // A sample may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

/** Throws a RowFileError if the sample is no text. `isWhole`: it is the whole file. */
function findEncoding(sample: Uint8Array, isWhole: boolean): Encoding {
  if (packed.some((head) => startsWith(sample, head))) throw new RowFileError('workbook');
  if (startsWith(sample, [0xef, 0xbb, 0xbf])) return 'utf-8';
  if (startsWith(sample, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(sample, [0xfe, 0xff])) return 'utf-16be';
  if (isMostlyZero(sample, 1)) return 'utf-16le';
  if (isMostlyZero(sample, 0)) return 'utf-16be';
  return isUtf8(sample, isWhole) ? 'utf-8' : 'windows-1252';
}

function* slicesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += sliceBytes) yield chunk.subarray(at, at + sliceBytes);
}

/** Text has tabs and line ends. Other control characters are signs of another kind of file. */
// oxlint-disable-next-line no-control-regex
const binary = /[\u0000-\u0008\u000b\u000e-\u0019\u001b-\u001f]/;

export type OpenedText = {
  readonly encoding: Encoding;
  /** The text of the sample. Its last line may be cut. */
  readonly sample: string;
  /** All of the text, from the beginning. */
  readonly slices: AsyncGenerator<string>;
};

/** Reads the sample. Throws a RowFileError if the file is empty or no text. */
export async function openText(chunks: AsyncIterable<Uint8Array>): Promise<OpenedText> {
  const source = chunks[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let size = 0;
  while (size < sampleBytes) {
    const next = await source.next();
    if (next.done === true) break;
    read.push(next.value);
    size += next.value.length;
  }
  const first = Buffer.concat(read);
  if (first.length === 0) throw new RowFileError('empty');
  const head = first.subarray(0, sampleBytes);
  const encoding = findEncoding(head, size < sampleBytes);
  const sample = new TextDecoder(encoding).decode(head, { stream: true });
  if (binary.test(sample)) throw new RowFileError('not_text');

  async function* slices(): AsyncGenerator<string> {
    const decoder = new TextDecoder(encoding);
    try {
      for (const slice of slicesOf(first)) yield decoder.decode(slice, { stream: true });
      for (let next = await source.next(); next.done !== true; next = await source.next())
        for (const slice of slicesOf(next.value)) yield decoder.decode(slice, { stream: true });
      yield decoder.decode();
    } finally {
      await source.return?.();
    }
  }
  return { encoding, sample, slices: slices() };
}
