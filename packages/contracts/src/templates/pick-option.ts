/**
 * Chooses by a hash that a browser can make too: FNV-1a over both bytes of each UTF-16 unit, then the finalizer of
 * MurmurHash3, which spreads neighbouring numbers.
 */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `place` tells the picks of one template apart, so that they are chosen independently. */
export function pickOption(
  options: readonly string[],
  { recipient, seed, place }: { readonly recipient: string; readonly seed: string; readonly place: number },
): string {
  return options[hashOf(`${seed}\n${recipient}\n${place}`) % options.length] ?? '';
}
