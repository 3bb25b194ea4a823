/** Messages as a client writes them, but with nothing sealed inside: the relay reads only the outside. */
import type { BinaryNode } from 'baileys';

type Attributes = Record<string, string>;

export function sealed(attrs: Attributes = {}): BinaryNode {
  return { tag: 'enc', attrs: { v: '2', type: 'msg', ...attrs }, content: Buffer.from('sealed') };
}

/** Copies for several devices. */
export function participants(jids: readonly string[], attrs: Attributes = {}): BinaryNode {
  const content = jids.map((jid) => ({ tag: 'to', attrs: { jid }, content: [sealed(attrs)] }));
  return { tag: 'participants', attrs: {}, content };
}

let messages = 0;

/** A message without an `id` in `attrs` gets a new one. */
export function message(attrs: Attributes, content: BinaryNode[]): BinaryNode {
  messages += 1;
  return { tag: 'message', attrs: { id: `RAW${messages}`, type: 'text', ...attrs }, content };
}
