/** Shows the events of conversations. The `state` of such an event is the id of the inbound message. */
import type { ConversationEvent, ConversationEventType, DeviceId, InboundId } from '@kurir/contracts';
import type { InboundFacts } from '../conversations/inbound-facts.js';
import { shownAbout, shownNetworkId, shownReply, shownWriter, shownWritten } from '../conversations/show-inbound.js';
import type { FeedEvent } from './feed.js';

// The event was written with the id of its message.
export const inboundIdOf = ({ state }: FeedEvent) => state as InboundId;

/** Stands for a row that its retention has deleted. The feed does not reach back so far. */
const forgotten = (id: InboundId, deviceId: DeviceId | null, at: Date): InboundFacts => ({
  id,
  account_id: 'acc_',
  key_number: null,
  sealed: null,
  kind: 'received',
  type: null,
  deviceId: deviceId ?? 'dev_',
  chatType: 'direct',
  networkMessageId: 'erased ',
  participant: '',
  userId: null,
  phone: null,
  aboutNetworkId: null,
  aboutInboundId: null,
  aboutJobId: null,
  forwarded: false,
  offline: false,
  sentAt: at,
  receivedAt: at,
  words: null,
});

type OfEvery = Pick<ConversationEvent, 'id' | 'created_at' | 'device_id' | 'sequence'>;

export function showConversationEvent(
  event: FeedEvent & { readonly kind: ConversationEventType },
  ofEvery: OfEvery,
  found: InboundFacts | undefined,
): ConversationEvent {
  const { kind: type, subjectId: id, at, deviceId } = event;
  const facts = found ?? forgotten(inboundIdOf(event), deviceId, at);
  const subject = { type: 'conversation', id } as const;
  const common = {
    message_id: facts.id,
    network_message_id: shownNetworkId(facts.networkMessageId),
    device_id: facts.deviceId,
    chat: { id, type: facts.chatType },
    sent_at: facts.sentAt.toISOString(),
    received_at: at.toISOString(),
  };
  const contact = { conversation_id: id, device_id: facts.deviceId, user_id: facts.userId, phone: facts.phone };
  const from = shownWriter(facts);
  const target = { ...shownAbout(facts), network_message_id: shownNetworkId(facts.aboutNetworkId) };
  const written = () => ({
    ...shownWritten(facts),
    reply_to: shownReply(facts),
    forwarded: facts.forwarded,
    offline: facts.offline,
  });
  switch (type) {
    case 'message.received':
      return { ...ofEvery, type, subject, data: { ...common, from, ...written() } };
    case 'message.edited':
      return { ...ofEvery, type, subject, data: { ...common, from, target, ...shownWritten(facts) } };
    case 'message.deleted':
      return { ...ofEvery, type, subject, data: { ...common, from, target } };
    case 'message.reaction':
      return { ...ofEvery, type, subject, data: { ...common, from, target, emoji: facts.words?.emoji ?? null } };
    case 'message.undecryptable':
      return {
        ...ofEvery,
        type,
        subject,
        data: { ...common, from: { ...from, name: null, username: null }, offline: facts.offline },
      };
    case 'message.sent_elsewhere': {
      const to = facts.chatType === 'group' ? null : from;
      return { ...ofEvery, type, subject, data: { ...common, to, ...written() } };
    }
    case 'contact.identified':
      return { ...ofEvery, type, subject, data: contact };
    case 'contact.opted_out':
    case 'contact.opted_in':
      return { ...ofEvery, type, subject, data: { ...contact, message_id: facts.id } };
  }
}
