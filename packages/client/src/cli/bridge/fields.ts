/** Reads the fields of a peer's request, and the ids in them. */
import { badRequest, type Chat, type PeerRequest, type PeerSetup, PeerRefusal } from './peer.js';

type Fields = PeerRequest['body'];

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function fieldsOf(body: Fields, name: string): Fields {
  const value = body[name];
  return isFields(value) ? value : {};
}

export function textOf(body: Fields, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function requireText(body: Fields, name: string): string {
  const value = textOf(body, name);
  if (value === null) throw badRequest(`${name} must be a text.`);
  return value;
}

/** The network's id of a person, like `lid:2515`. The name of a device may follow the digits of a LID. */
function userIdIn(id: string, domain: string): string | null {
  const [, lid] = /^(\d{1,30})(?::\d+)?$/.exec(id) ?? [];
  if (domain === 'lid' && lid !== undefined) return `lid:${lid}`;
  return (domain === 'lid' || domain === '') && /^[a-z]+:[0-9a-z]+$/.test(id) ? id : null;
}

/** `6281…`, `6281…@c.us`, `cnv_…@lid`, `cnv_…@g.us`, `2515@lid` and `lid:2515`. */
export function parseChat(text: string): Chat {
  const [id = '', domain = ''] = text.trim().replace(/^\+/, '').split('@');
  if (/^cnv_[0-9a-z]+$/.test(id)) return { conversationId: id, isGroup: domain === 'g.us' };
  const userId = userIdIn(id, domain);
  if (userId !== null) return { userId };
  const phone = id.replace(/:\d+$/, '');
  if (!/^\d{7,15}$/.test(phone) || domain === 'lid' || domain === 'g.us')
    throw badRequest(
      `${JSON.stringify(text)} is no chat that this bridge knows. Answer to the chat of a message, or to a number.`,
    );
  return { phone };
}

/** The id of Kurir in an id of the peer, like `false_6281…@c.us_inb_…` or `wamid.inb_…`. */
export const idWithin = (text: string | null): string | null => /(?:inb|msg)_[0-9a-z]+$/.exec(text ?? '')?.[0] ?? null;

export function requireName(given: string | null, what: string, { name }: PeerSetup): void {
  if (given !== null && given !== name)
    throw new PeerRefusal(
      404,
      'NOT_FOUND',
      `This bridge serves the ${what} ${name}. To serve another one, start it with --name.`,
    );
}
