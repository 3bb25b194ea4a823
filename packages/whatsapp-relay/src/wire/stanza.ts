/** Reading and writing stanzas, the nodes of WhatsApp's binary XML. The codec itself is zapo-js's. */
import type { BinaryNode } from 'zapo-js/transport';

export type Stanza = BinaryNode;

/** The server's own address: the `from` of everything that no account sent. */
export const serverJid = 's.whatsapp.net';

export function stanza(tag: string, attrs: Record<string, string> = {}, content?: Stanza['content']): Stanza {
  return content === undefined ? { tag, attrs } : { tag, attrs, content };
}

/** The child stanzas, all or those of one tag. */
export function children(of: Stanza | undefined, tag?: string): readonly Stanza[] {
  const content = of?.content;
  if (!isStanzas(content)) return [];
  return tag === undefined ? content : content.filter((child) => child.tag === tag);
}

export function child(of: Stanza | undefined, tag: string): Stanza | undefined {
  return children(of, tag)[0];
}

/** The content as bytes; empty when there is none. The codec gives short ASCII content back as text. */
export function bytes(of: Stanza | undefined): Buffer {
  const content = of?.content;
  if (content === undefined || isStanzas(content)) return Buffer.alloc(0);
  return typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
}

/** Bytes of a child that must be there. */
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
