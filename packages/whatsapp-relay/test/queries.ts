/** Queries as clients write them, and the server's answers. */
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import type { Companion } from './companion.js';

export type UsyncUser = { readonly jid: string } | { readonly number: string };

type Attributes = Record<string, string>;

/** Asks for these protocols of the users. Returns the whole `<usync>`. */
export async function usync(
  companion: Companion,
  protocols: Readonly<Record<string, Attributes>>,
  ...users: readonly UsyncUser[]
): Promise<BinaryNode | undefined> {
  const query = Object.entries(protocols).map(([tag, attrs]) => ({ tag, attrs }));
  const list = users.map((user) =>
    'jid' in user
      ? { tag: 'user', attrs: { jid: user.jid } }
      : { tag: 'user', attrs: {}, content: [{ tag: 'contact', attrs: {}, content: user.number }] },
  );
  const content = [
    { tag: 'query', attrs: {}, content: query },
    { tag: 'list', attrs: {}, content: list },
  ];
  const answer: BinaryNode = await companion.socket.query({
    tag: 'iq',
    attrs: { to: 's.whatsapp.net', type: 'get', xmlns: 'usync' },
    content: [{ tag: 'usync', attrs: { sid: '1', mode: 'query', last: 'true', index: '0' }, content }],
  });
  return getBinaryNodeChild(answer, 'usync');
}

/** The users of an answer: their addresses, and the child of each protocol. */
export function usersOf(answer: BinaryNode | undefined): readonly { attrs: Attributes; [protocol: string]: unknown }[] {
  return getBinaryNodeChildren(getBinaryNodeChild(answer, 'list'), 'user').map((user) => ({
    ...Object.fromEntries(getBinaryNodeChildren(user, 'contact').map((child) => ['contact', contactOf(child)])),
    ...Object.fromEntries(getBinaryNodeChildren(user, 'devices').map((child) => ['devices', devicesOf(child)])),
    ...Object.fromEntries(getBinaryNodeChildren(user, 'lid').map((child) => ['lid', child.attrs['val']])),
    attrs: user.attrs,
  }));
}

/** The error of a protocol for all users. */
export function errorOf(answer: BinaryNode | undefined, protocol: string): Attributes | undefined {
  const result = getBinaryNodeChild(getBinaryNodeChild(answer, 'result'), protocol);
  return getBinaryNodeChild(result, 'error')?.attrs;
}

function contactOf(contact: BinaryNode): object {
  const error = getBinaryNodeChild(contact, 'error');
  return error ? { error: error.attrs['code'] } : { ...contact.attrs, asked: textOf(contact) };
}

function textOf({ content }: BinaryNode): string | undefined {
  return content instanceof Uint8Array ? Buffer.from(content).toString() : undefined;
}

function devicesOf(devices: BinaryNode): readonly (string | undefined)[] {
  return getBinaryNodeChildren(getBinaryNodeChild(devices, 'device-list'), 'device').map(({ attrs }) => attrs['id']);
}
