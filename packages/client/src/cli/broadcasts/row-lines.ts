/** Reads rows of recipients from lines: a number, or a JSON object like `{"phone": "62…", "values": {"nama": "Budi"}}`. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { KurirUsageError } from '../../calls/errors.js';
import type { AddRecipientsInput } from '../../contract/call-types.js';
import { parseNumber } from '../terminal/parse-time.js';

export type Row = AddRecipientsInput['rows'][number];

/** The gateway takes so many rows in a request, and a little more than so many bytes. */
const [partMaxRows, partMaxBytes] = [10_000, 7 * 1024 * 1024];

function parseRow(text: string, line: number): Row {
  if (!text.startsWith('{')) return { phone: parseNumber(text) };
  try {
    // The gateway checks every field and names a wrong one.
    return JSON.parse(text) as Row;
  } catch (cause) {
    throw new KurirUsageError(`Line ${line} is neither a number nor a JSON object.`, { cause });
  }
}

/** Yields the rows in parts, each for one request. Memory holds one part. Empty lines are skipped. */
export async function* readRows(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<Row[]> {
  let part: Row[] = [];
  let bytes = 0;
  let number = 0;
  for await (const line of createInterface({ input: Readable.from(input), crlfDelay: Infinity })) {
    number++;
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') continue;
    const size = Buffer.byteLength(text) + 16;
    if (part.length === partMaxRows || (part.length > 0 && bytes + size > partMaxBytes)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(parseRow(text, number));
    bytes += size;
  }
  if (part.length > 0) yield part;
}
