/** Reads and writes stanzas, the nodes of WhatsApp's binary XML. The codec itself comes from zapo-js. */
import type { BinaryNode } from 'zapo-js/transport';

export type Stanza = BinaryNode;

/** The server's own address: the `from` of every stanza that no account sent. */
export const serverJid = 's.whatsapp.net';

export function stanza(tag: string, attrs: Record<string, string> = {}, content?: Stanza['content']): Stanza {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

/** The child stanzas: all of them, or those with this tag. */
export function children(of: Stanza | undefined, tag?: string): readonly Stanza[] {
  const content = of?.content;
  if (!isStanzas(content)) return [];
  return tag === undefined ? content : content.filter((child) => child.tag === tag);
}

export function child(of: Stanza | undefined, tag: string): Stanza | undefined {
  return children(of, tag)[0];
}

/** The content as bytes; empty when there is none. The codec returns short ASCII content as text. */
export function bytes(of: Stanza | undefined): Buffer {
  const content = of?.content;
  if (content === undefined || isStanzas(content)) return Buffer.alloc(0);
  return typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
}

/** The bytes of a child. Throws if the child is missing. */
export function bytesOf(of: Stanza | undefined, tag: string): Buffer {
  const found = child(of, tag);
  if (!found) throw new Error(`stanza ${of?.tag ?? 'none'} has no ${tag}`);
  return bytes(found);
}

export function timestamp(): string {
  return String(Math.floor(Date.now() / 1000));
}

function isStanzas(content: Stanza['content']): content is readonly Stanza[] {
  return Array.isArray(content);
}
