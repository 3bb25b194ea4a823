/**
 * Bounds the work that parsing a body costs, before it is parsed. `JSON.parse` needs a second for a body of nothing but
 * brackets, and no other request is served meanwhile. This scan needs a few milliseconds for the largest body.
 */
import { ApiError, limits } from '@kurir/contracts';

/** A bulk has three levels: the body, its list, a message. */
const maxDepth = 8;
/** Keys and items of a plain body. A list of recipients has ten thousand people with their values. */
const [maxValuesOfPlain, maxValuesOfBulk] = [20_000, 100_000];

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Returns the position after the string that begins at `start`, or the end of a body whose string never ends. */
function endOfString(raw: Buffer, start: number): number {
  let at = start + 1;
  while (at < raw.length && raw[at] !== quote) at += raw[at] === backslash ? 2 : 1;
  return at + 1;
}

/**
 * Throws 400 if the body is nested too deeply or has too many keys and items. An operation that takes large bodies takes
 * more of them. It may be no JSON at all.
 */
export function checkJsonShape(raw: Buffer, maxBodyBytes: number): void {
  const maxValues = maxBodyBytes > limits.bodyMaxBytes ? maxValuesOfBulk : maxValuesOfPlain;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < raw.length; ) {
    const byte = raw[at];
    if (byte === quote) {
      at = endOfString(raw, at);
      continue;
    }
    at += 1;
    if (byte === comma) values += 1;
    else if (byte === openArray || byte === openObject) {
      depth += 1;
      values += 1;
    } else if (byte === closeArray || byte === closeObject) depth -= 1;
    else continue;
    if (depth > maxDepth)
      throw new ApiError('MALFORMED_REQUEST', `The JSON is nested deeper than ${maxDepth} levels. Send it flatter.`);
    if (values > maxValues)
      throw new ApiError(
        'MALFORMED_REQUEST',
        `The JSON has more than ${maxValues} keys and items. Send only the fields that the documentation names, and a long list in parts.`,
      );
  }
}
