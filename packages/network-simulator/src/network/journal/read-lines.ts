import { createReadStream } from 'node:fs';

const NEWLINE = 0x0a;

/**
 * The complete lines of a file from a byte offset on, without their newlines. Splits only at newline bytes, because
 * node:readline also splits at U+2028, which JSON strings may contain. Leaves out an unfinished last line.
 */
export async function* readLines(file: string, start: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { start })) {
    // Without an encoding, the chunks of the stream are buffers.
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      yield bytes.toString('utf8', from, at);
      from = at + 1;
    }
    rest = bytes.subarray(from);
  }
}
