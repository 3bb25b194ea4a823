import { type DataOf, showContent } from '@kurir/contracts';
import {
  type ConversationEntry,
  type InboundFacts,
  shownNetworkId,
  shownReply,
  shownWriter,
  shownWritten,
} from '@kurir/database';

type Shown = DataOf<'listConversationMessages'>['messages'][number];

const kinds: Readonly<Record<InboundFacts['kind'], Shown['kind']>> = {
  received: 'message',
  sent_elsewhere: 'message',
  edited: 'edited',
  deleted: 'deleted',
  reaction: 'reaction',
  undecryptable: 'undecryptable',
  // Only events show it.
  identified: 'message',
};

const noContent = { ...showContent('text', null), type: null };

function showInbound(facts: InboundFacts): Shown {
  const kind = kinds[facts.kind];
  const isOwn = facts.kind === 'sent_elsewhere';
  return {
    message_id: facts.id,
    direction: isOwn ? 'outbound' : 'inbound',
    kind,
    job_id: null,
    status: null,
    reason: null,
    broadcast: null,
    priority: null,
    network_message_id: shownNetworkId(facts.networkMessageId),
    from: isOwn ? null : shownWriter(facts),
    ...(facts.type === null ? noContent : shownWritten(facts)),
    reply_to: kind === 'message' ? shownReply(facts) : null,
    target_id: kind === 'message' ? null : (facts.aboutInboundId ?? facts.aboutJobId),
    emoji: facts.words?.emoji ?? null,
    forwarded: facts.forwarded,
    at: facts.sentAt.toISOString(),
  };
}

export function showEntry(entry: ConversationEntry): Shown {
  if (entry.direction === 'inbound') return showInbound(entry.facts);
  const { id, status, reason, broadcast, priority, networkMessageId, text, replyTo, createdAt } = entry.message;
  return {
    message_id: id,
    direction: 'outbound',
    kind: 'message',
    job_id: id,
    status,
    reason,
    broadcast: broadcast === null ? null : { broadcast_id: broadcast.id, name: broadcast.name },
    priority,
    network_message_id: networkMessageId,
    from: null,
    ...showContent('text', text === null ? null : { type: 'text', text }),
    reply_to: replyTo === null ? null : { message_id: null, job_id: null, text: replyTo.text },
    target_id: null,
    emoji: null,
    forwarded: false,
    at: createdAt.toISOString(),
  };
}
