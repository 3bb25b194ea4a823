/** Shows the messages of people to programs. An erased value is null. */
import { type ShownContent, showContent, showPerson } from '@kurir/contracts';
import type { InboundFacts } from './inbound-facts.js';

/** Stands in the network's ids after they were erased. */
export const erasedMark = 'erased ';

export const shownNetworkId = (id: string | null): string | null =>
  id === null || id.startsWith(erasedMark) ? null : id;

export const shownWriter = ({ userId, phone, words }: InboundFacts) =>
  showPerson({ userId, phone, username: words?.username ?? null, name: words?.name ?? null });

export const shownAbout = ({ aboutInboundId, aboutJobId }: InboundFacts) => ({
  message_id: aboutInboundId,
  job_id: aboutJobId,
});

export const shownWritten = ({ type, words }: InboundFacts): ShownContent =>
  showContent(type ?? 'unsupported', words?.content ?? null);

export const shownReply = (facts: InboundFacts) =>
  facts.aboutNetworkId === null ? null : { ...shownAbout(facts), text: facts.words?.replyText ?? null };
