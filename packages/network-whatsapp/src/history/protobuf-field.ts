/**
 * Reads single fields of protobuf messages. It serves fields that Baileys' definitions lack, and messages that are too
 * big to be read whole. Wire format: protobuf.dev, "Encoding".
 */

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/**
 * The length-delimited fields at the top level of the message, in order. Throws when the input is no protobuf message.
 */
export function* bytesFields(message: Uint8Array): Generator<{ readonly field: number; readonly bytes: Uint8Array }> {
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    const wireType = tag.value % 8;
    const { start, end } = extentOf(message, tag.end, wireType);
    if (end > message.length) throw new Error('a protobuf message ends in the middle of a field');
    if (wireType === BYTES) yield { field: Math.floor(tag.value / 8), bytes: message.subarray(start, end) };
    at = end;
  }
}

/** The last occurrence of a field; null when there is none. */
export function bytesField(message: Uint8Array, wanted: number): Uint8Array | null {
  let found: Uint8Array | null = null;
  for (const { field, bytes } of bytesFields(message)) if (field === wanted) found = bytes;
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
