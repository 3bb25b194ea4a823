/**
 * The messages of a lane between claim and stored answer: one at a time is at the driver, in the order in which they were
 * claimed, and of those before it is being stored that the network has them.
 */
import type { MessageId } from '@kurir/contracts';
import type {
  ClaimedMessage,
  ClaimOutcome,
  ClaimRequest,
  GroupCommit,
  SendingMessage,
  UnsettledMessage,
} from '@kurir/database';
import { type TryContext, tryMessage } from './try-message.js';
import { untilTaken } from './until-taken.js';

export type LaneMessagesContext = TryContext & { readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome> };

export type LaneMessages = {
  /** `upToSeq`, `most`: as in a claim. */
  claim(priority: number, upToSeq: bigint | null, most: number): Promise<ClaimOutcome>;
  /** `sent`: that is being stored. Rejects, too, when an earlier answer could not be stored. The rest as `tryMessage`. */
  send(
    message: ClaimedMessage,
    askedAt: number,
    letOthersWait: () => Promise<void>,
  ): Promise<'sent' | 'settled' | 'waits' | 'unsettled'>;
  /** They wait as if they had not been claimed; resolves when that is stored. */
  handBack(messages: readonly SendingMessage[]): Promise<void>;
  /** Resolves once nothing is being stored any more; rejects when something could not be. */
  untilStored(): Promise<void>;
  /** What stands as `sending` when the lane begins may be on its way; what does later, and was not sent here, is not. */
  noteFound(all: readonly UnsettledMessage[]): void;
  /** Claimed by this owner, perhaps without its hearing of it: nothing was written. */
  isUntried(message: UnsettledMessage): boolean;
};

/** So many answers may be waiting to be stored while the next message goes out. After a crash they go out again, under their old ids. */
const mostBeingStored = 16;

export function createLaneMessages(context: LaneMessagesContext): LaneMessages {
  const { holder, outcomes } = context;
  /** What was sent by this lane, or stood as `sending` before it, and has no answer. Whatever else stands so was never written. */
  let begun: Set<MessageId> | null = null;
  /** The oldest first; none of them rejects. */
  const storing = new Map<MessageId, Promise<void>>();
  /** Answers that could not be stored, and of which the next to ask is told. */
  const failed: Promise<unknown>[] = [];

  function store(id: MessageId, stored: Promise<unknown>): void {
    const over = stored.then(
      () => void begun?.delete(id),
      () => void failed.push(stored),
    );
    storing.set(
      id,
      over.then(() => void storing.delete(id)),
    );
  }

  async function untilBeingStored(most: number): Promise<void> {
    while (storing.size > most) await storing.values().next().value;
    // Rejects with the first one's error; the others' causes are the same or will show again.
    await failed.splice(0)[0];
  }

  return {
    claim(priority, upToSeq, most) {
      // Field by field: docs/performance.md, hidden classes.
      const { deviceId, owner, epoch } = holder;
      const except = [...storing.keys()];
      return context.claimer.submit({ deviceId, owner, epoch, priority, upToSeq, most, except });
    },
    async send(message, askedAt, letOthersWait) {
      await untilBeingStored(mostBeingStored - 1);
      const begins = () => void begun?.add(message.id);
      const ended = await tryMessage(context, message, askedAt, { begins, letOthersWait });
      if (typeof ended === 'object') {
        store(message.id, ended.stored);
        return 'sent';
      }
      if (ended !== 'unsettled') begun?.delete(message.id);
      return ended;
    },
    async handBack(messages) {
      if (messages.length === 0) return;
      await untilTaken(() => outcomes.handBack(holder.epoch, messages), context, {
        messageIds: messages.map(({ id }) => id),
      });
      for (const { id } of messages) begun?.delete(id);
    },
    untilStored: () => untilBeingStored(0),
    noteFound(all) {
      begun ??= new Set(all.map(({ id }) => id));
    },
    isUntried: ({ id, epoch }) => epoch === holder.epoch && begun?.has(id) === false,
  };
}
