/** Reads the lines of a bulk file and packs them into requests. If one line cannot be read, nothing is sent. */
import type { SendMessageInput } from '../../contract/call-types.js';
import { KurirUsageError } from '../../calls/errors.js';
import { bulkMaxMessages } from '../../contract/routes.js';
import { toCamelCase } from '../../contract/wire-case.js';

export type BulkLine = { readonly number: number; readonly message: SendMessageInput };

/** Less than `limits.bulkBodyMaxBytes` of the contracts, because keys in snake_case are a little longer. */
const bulkMaxBytes = 7 * 1024 * 1024;
const maxNamedLines = 10;

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? toCamelCase(value) : null;
  } catch {
    // The error below names the number of this line.
    return null;
  }
}

/** Skips empty lines. Throws a KurirUsageError that names the lines that are not JSON objects. */
export function parseBulk(text: string, defaults: object, refPrefix: string): BulkLine[] {
  const wrong: number[] = [];
  const lines = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const number = i + 1;
    const fields = parseLine(line);
    if (fields === null) wrong.push(number);
    // Not checked here: the gateway checks every field and returns a result for each message.
    const message = { ...defaults, clientRef: `${refPrefix}-${number}`, ...fields } as SendMessageInput;
    return [{ number, message }];
  });
  if (wrong.length > 0) throw new KurirUsageError(`Nothing was sent: not a JSON object on line ${namedLines(wrong)}.`);
  if (lines.length === 0) throw new KurirUsageError('There is no message in it.');
  return lines;
}

function namedLines(numbers: readonly number[]): string {
  const more = numbers.length - maxNamedLines;
  return numbers.slice(0, maxNamedLines).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Yields one chunk for each request, in order. A chunk holds no more than the gateway accepts in one request. */
export function* chunksOf(lines: readonly BulkLine[]): Generator<BulkLine[]> {
  let chunk: BulkLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    // In snake_case a key is a few characters longer. `bulkMaxBytes` leaves room for that.
    const size = Buffer.byteLength(JSON.stringify(line.message)) + 16;
    if (chunk.length === bulkMaxMessages || (chunk.length > 0 && bytes + size > bulkMaxBytes)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(line);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
