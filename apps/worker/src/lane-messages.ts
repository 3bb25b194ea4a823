/**
 * The messages of a lane that its worker has: claimed and in hand, at the driver, and with the network while that is being
 * stored. One at a time is at the driver, in the order in which they were claimed.
 */
import type { MessageId } from '@kurir/contracts';
import {
  type ClaimedMessage,
  type ClaimOutcome,
  type ClaimRequest,
  type GroupCommit,
  handBack,
  type UnsettledMessage,
} from '@kurir/database';
import { type TryContext, tryMessage } from './try-message.js';

export type LaneMessagesContext = TryContext & { readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome> };

export type LaneMessages = {
  /** What is claimed is in hand; what is `missed` was handed back. `upToSeq`, `most`: as in a claim. */
  claim(priority: number, upToSeq: bigint | null, most: number): Promise<ClaimOutcome>;
  /** `sent`: that is being stored. Rejects, too, when an earlier answer could not be stored. The rest as `tryMessage`. */
  send(
    message: ClaimedMessage,
    askedAt: number,
    letOthersWait: () => Promise<void>,
  ): Promise<'sent' | 'settled' | 'waits' | 'unsettled'>;
  /** They wait as if they had not been claimed. */
  handBack(messages: readonly { readonly id: MessageId }[]): Promise<void>;
  /** Resolves once nothing is being stored any more; rejects when something could not be. */
  untilStored(): Promise<void>;
  /** What stands as `sending` when the lane begins may be on its way; what does later, and was not sent here, is not. */
  noteFound(all: readonly UnsettledMessage[]): void;
  /** Claimed by us without our hearing of it, or dropped since: nothing was written. */
  isUntried(message: UnsettledMessage): boolean;
  /** What is in hand is dropped and stands as `sending` until it is settled. Resolves once nothing is being stored; never rejects. */
  drop(): Promise<void>;
};

/** So many answers may be waiting to be stored while the next message goes out. After a crash they go out again, under their old ids. */
const mostBeingStored = 16;

export function createLaneMessages(context: LaneMessagesContext): LaneMessages {
  const { holder } = context;
  const inHand = new Set<MessageId>();
  /** What was sent by this lane, or stood as `sending` before it, and has no answer. Whatever else stands so was never written. */
  let begun: Set<MessageId> | null = null;
  /** The oldest first; none of them rejects. */
  const storing = new Map<MessageId, Promise<void>>();
  /** Answers that could not be stored, and of which nobody was told. */
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

  async function takeBack(messages: readonly { readonly id: MessageId }[]): Promise<void> {
    const ids = messages.map(({ id }) => id);
    const back = ids.length === 0 ? Promise.resolve() : handBack(context.database, holder.epoch, ids);
    for (const id of ids) {
      inHand.delete(id);
      store(id, back);
    }
    await untilBeingStored(0);
  }

  return {
    async claim(priority, upToSeq, most) {
      // Field by field: docs/performance.md, hidden classes.
      const { deviceId, owner, epoch } = holder;
      const except = [...inHand, ...storing.keys()];
      const claim = await context.claimer.submit({ deviceId, owner, epoch, priority, upToSeq, most, except });
      if (claim.kind === 'claimed') for (const { id } of claim.messages) inHand.add(id);
      if (claim.kind === 'missed') await takeBack(claim.messages);
      return claim;
    },
    async send(message, askedAt, letOthersWait) {
      await untilBeingStored(mostBeingStored - 1);
      inHand.delete(message.id);
      begun?.add(message.id);
      const ended = await tryMessage(context, message, askedAt, letOthersWait);
      if (typeof ended === 'object') {
        store(message.id, ended.stored);
        return 'sent';
      }
      if (ended !== 'unsettled') begun?.delete(message.id);
      return ended;
    },
    handBack: takeBack,
    untilStored: () => untilBeingStored(0),
    noteFound(all) {
      begun ??= new Set(all.map(({ id }) => id));
    },
    isUntried: ({ id, epoch }) => epoch === holder.epoch && begun?.has(id) === false,
    async drop() {
      inHand.clear();
      await untilBeingStored(0).catch(() => undefined);
    },
  };
}
