/**
 * The keys of one purpose. The first seals and signs. All of them open and verify, so that a key can be changed while
 * processes run. A box and a row say by its id which key they need.
 */
import { hkdfSync, type KeyObject } from 'node:crypto';
import { keyBytes, parseKey } from './parse-key.js';

export type Keys = readonly [KeyObject, ...KeyObject[]];

export const keyIdBytes = 4;

const ids = new WeakMap<KeyObject, Buffer>();

/** The id of a key, derived from it. It reveals nothing of the key. Throws a RangeError if the key is not 32 bytes. */
export function keyIdOf(key: KeyObject): Buffer {
  const known = ids.get(key);
  if (known !== undefined) return known;
  if (key.symmetricKeySize !== keyBytes) throw new RangeError(`the key is not ${keyBytes} bytes`);
  const id = Buffer.from(hkdfSync('sha256', key, '', 'kurir/key-id/v1', keyIdBytes));
  ids.set(key, id);
  return id;
}

/** The id as people read it: eight hexadecimal digits. */
export const showKeyId = (key: KeyObject): string => keyIdOf(key).toString('hex');

/**
 * Returns the keys of a text: base64, separated by commas or white space, the first one first. Throws an Error that says
 * what is wrong with the text and contains no part of it.
 */
export function parseKeys(text: string): Keys {
  const [first = '', ...others] = text.split(/[\s,]+/);
  const keys = [parseKey(first), ...others.map(parseKey)] as const;
  if (new Set(keys.map(showKeyId)).size < keys.length) throw new Error('A key stands there twice; remove one.');
  return keys;
}
