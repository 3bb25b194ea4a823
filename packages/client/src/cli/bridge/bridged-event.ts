/** All peers use these to show an event. */
import type { KurirEvent } from '../../contract/call-types.js';
import type { Chat, Recall } from './peer.js';

export type Received = Extract<KurirEvent, { type: 'message.received' | 'message.sent_elsewhere' }>;
export type Content = Received['data'];
export type StatusEvent = Extract<KurirEvent, { subject: { type: 'message' } }>;

export const unixSeconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);

/** The chat of an inbound message. `phone` is the other person's. */
export function chatOf(chat: { id: string; type: 'direct' | 'group' }, phone: string | null): Chat {
  if (chat.type === 'direct' && phone !== null) return { phone };
  return { conversationId: chat.id, isGroup: chat.type === 'group' };
}

/** The chat to which a message of ours went. Null: nobody knows any more. */
export function chatOfJob({ data }: StatusEvent, recall: Recall): Chat | null {
  return recall(data.jobId) ?? (data.phoneDestination === null ? null : { phone: data.phoneDestination });
}

/** The address of a chat or a person, like `6281…@c.us`. */
export function addressOf(chat: Chat, phoneDomain: 'c.us' | 's.whatsapp.net'): string {
  if ('phone' in chat) return `${chat.phone}@${phoneDomain}`;
  return `${chat.conversationId}@${chat.isGroup ? 'g.us' : 'lid'}`;
}

/** The writer of a message in a group. */
export function personAddress(
  { phone, userId }: { phone: string | null; userId: string | null },
  phoneDomain: 'c.us' | 's.whatsapp.net',
): string {
  return phone === null ? `${(userId ?? 'unknown').replace(/^lid:/, '')}@lid` : `${phone}@${phoneDomain}`;
}

/** A text for bots that read only texts: a place becomes its name. */
export const wordsOf = ({ text, location, poll }: Content): string => text ?? location?.name ?? poll?.question ?? '';
