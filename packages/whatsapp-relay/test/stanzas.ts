/** Messages as a client would write them, with nothing sealed in them: the relay looks at their outside alone. */
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

/** `attrs` without `id` gets a fresh one. */
export function message(attrs: Attributes, content: BinaryNode[]): BinaryNode {
  messages += 1;
  return { tag: 'message', attrs: { id: `RAW${messages}`, type: 'text', ...attrs }, content };
}
