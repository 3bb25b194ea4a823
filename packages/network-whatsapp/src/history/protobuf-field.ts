/** Reads one field of a protobuf message that Baileys' own definition lacks. Wire format: protobuf.dev, "Encoding". */

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** The last occurrence of a length-delimited field at the top of the message; null when there is none. */
export function bytesField(message: Uint8Array, wanted: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    at = tag.end;
    const field = Math.floor(tag.value / 8);
    const { start, end } = extentOf(message, at, tag.value % 8);
    if (end > message.length) throw new Error('a protobuf message ends in the middle of a field');
    if (field === wanted && tag.value % 8 === BYTES) found = message.subarray(start, end);
    at = end;
  }
  return found;
}

function extentOf(message: Uint8Array, at: number, wireType: number): { start: number; end: number } {
  switch (wireType) {
    case VARINT:
      return { start: at, end: varint(message, at).end };
    case FIXED_64:
      return { start: at, end: at + 8 };
    case FIXED_32:
      return { start: at, end: at + 4 };
    case BYTES: {
      const length = varint(message, at);
      return { start: length.end, end: length.end + length.value };
    }
    default:
      throw new Error(`a protobuf message with wire type ${wireType}`);
  }
}

/** Exact up to 2^53, which is more than any length or tag. */
function varint(message: Uint8Array, at: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 10; i += 1) {
    const byte = message[at + i];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if ((byte & 0x80) === 0) return { value, end: at + i + 1 };
  }
  throw new Error('a protobuf number without an end');
}
