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

// The type of the subject tells the type of the event.
export const isStatusEvent = (event: KurirEvent): event is StatusEvent => event.subject.type === 'message';

const isPhone = (recipient: string): boolean => /^\d+$/.test(recipient);

/** The network's id of the person to whom a message of ours went. Null: the number is known, or erased. */
export const hiddenOf = ({ data: { phoneDestination } }: StatusEvent): string | null =>
  phoneDestination === null || isPhone(phoneDestination) ? null : phoneDestination;

/** The chat to which a message of ours went. Null: nobody knows any more. */
export function chatOfJob(event: StatusEvent, recall: Recall): Chat | null {
  const { jobId, phoneDestination } = event.data;
  const userId = hiddenOf(event);
  if (userId !== null) return recall(jobId) ?? { userId };
  return recall(jobId) ?? (phoneDestination === null ? null : { phone: phoneDestination });
}

/** A peer knows no prefix: `2515@lid`. */
const lidAddress = (userId: string): string => `${userId.replace(/^lid:/, '')}@lid`;

/** The address of a chat or a person, like `6281…@c.us`. */
export function addressOf(chat: Chat, phoneDomain: 'c.us' | 's.whatsapp.net'): string {
  if ('phone' in chat) return `${chat.phone}@${phoneDomain}`;
  if ('userId' in chat) return lidAddress(chat.userId);
  return `${chat.conversationId}@${chat.isGroup ? 'g.us' : 'lid'}`;
}

/** The writer of a message in a group. */
export function personAddress(
  { phone, userId }: { phone: string | null; userId: string | null },
  phoneDomain: 'c.us' | 's.whatsapp.net',
): string {
  return phone === null ? lidAddress(userId ?? 'unknown') : `${phone}@${phoneDomain}`;
}

/** A text for bots that read only texts: a place becomes its name. */
export const wordsOf = ({ text, location, poll }: Content): string => text ?? location?.name ?? poll?.question ?? '';
