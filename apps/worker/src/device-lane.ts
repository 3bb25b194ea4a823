/**
 * Steps 5 to 7 for one connected device: turns of its lane, one at a time, of one message each where the device keeps a
 * pace or a jitter. What an earlier owner or a broken connection left in `sending` is settled first, oldest first, so that
 * nothing overtakes it.
 */
import type { MessageId } from '@kurir/contracts';
import {
  type ClaimedMessage,
  type ClaimOutcome,
  type ClaimRequest,
  type GroupCommit,
  priorityRanks,
  readUnsettled,
  type UnsettledMessage,
} from '@kurir/database';
import type { LaneJob, Turn } from '@kurir/queue';
import { nextTry, notWritten, type TryContext, tryMessage } from './try-message.js';

export type DeviceLaneContext = TryContext & {
  readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome>;
  readonly onLeaseLost: () => void;
  /** Without a pace or a jitter to keep, a turn may send several messages. */
  readonly isPaced: () => boolean;
};

export type DeviceLane = {
  /** Takes a turn; never rejects. A turn of several messages goes on while `isWanted`: while its job's lane is open. */
  take(job: LaneJob, isWanted: () => boolean): Promise<Turn>;
  /**
   * Somebody rang for otps: a turn for them, unless one that has yet to claim sees them. Never rejects. `again` and nothing sent
   * when it is not wanted, or the lane has got a pace or a jitter: those take their turns from jobs alone.
   */
  ring(isWanted: () => boolean): Promise<Turn>;
  /** Settles what stands unanswered; never rejects. Waits for a running turn. */
  settle(): Promise<void>;
  /** Whether a turn or a settlement is running. */
  isBusy(): boolean;
  /** Resolves when what runs now is over; never rejects. */
  idle(): Promise<void>;
};

/** After this a turn of several messages ends with the one it is at, and whatever waits for the lane has its turn. */
const longTurnMs = 3_000;
/** A database or Redis that is away is asked again after this; the turn keeps its place. */
const troubleDelayMs = 500;

/** Of the otps of a lane one job waits at a time: it takes all of them, whatever their place. */
const boundOf = (job: LaneJob) => (job.priority === priorityRanks.otp ? null : job.seq);

export function createDeviceLane(context: DeviceLaneContext): DeviceLane {
  const { database, holder, log } = context;
  let unsettled = true;
  /** What was sent by this lane, or begun before it, and has no answer. Whatever else stands as `sending` was never written. */
  let begun: Set<MessageId> | null = null;
  /** The network has it, and that is being stored. */
  let storing: { readonly id: MessageId; readonly stored: Promise<void> } | null = null;
  let tail: Promise<unknown> = Promise.resolve();
  let running = 0;
  /** Otps may be due that no claim has looked for. */
  let rung = false;
  let ringWaits = false;

  /** One after the other: a settlement never overtakes a turn, nor the other way round. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    running++;
    const result = tail.then(work).finally(() => running--);
    tail = result.catch(() => undefined);
    return result;
  }

  async function send(message: ClaimedMessage, askedAt: number): Promise<'settled' | 'unsettled'> {
    begun?.add(message.id);
    const ended = await tryMessage(context, message, askedAt);
    if (ended === 'unsettled') return ended;
    if (ended === 'settled') begun?.delete(message.id);
    else {
      // Whoever waits for it hears of its failure, which may come before anybody waits.
      ended.stored.catch(() => undefined);
      storing = { id: message.id, stored: ended.stored };
    }
    return 'settled';
  }

  async function untilStored(): Promise<void> {
    const last = storing;
    if (last === null) return;
    storing = null;
    await last.stored;
    begun?.delete(last.id);
  }

  /** Our own claim, committed without our hearing of it: the message waits again, and no try was used up. */
  const isUnheard = ({ id, epoch }: UnsettledMessage) => epoch === holder.epoch && begun?.has(id) === false;

  /** True when nothing unanswered is left. */
  async function settleAll(): Promise<boolean> {
    const all = await readUnsettled(database, holder.deviceId);
    begun ??= new Set(all.map(({ id }) => id));
    for (const left of all) {
      if (!context.isConnected()) return false;
      if (isUnheard(left)) {
        await context.outcomes.answered(left.id, holder.epoch, notWritten);
        continue;
      }
      const askedAt = context.now();
      const message = await nextTry(database, holder, left);
      if (message === null) continue;
      log.info({ messageId: message.id, requestId: message.requestId, attempt: message.attempts }, 'message resumed');
      if ((await send(message, askedAt)) === 'unsettled') return false;
      await untilStored();
    }
    unsettled = false;
    return true;
  }

  /** While the answer of the message before is stored: the next one is not sent before both are committed. */
  async function claimNext(priority: number, upToSeq: bigint | null): Promise<ClaimOutcome> {
    // Field by field: docs/performance.md, hidden classes.
    const { deviceId, owner, epoch } = holder;
    const claiming = context.claimer.submit({ deviceId, owner, epoch, priority, upToSeq, except: storing?.id });
    const stored = untilStored();
    const [claim] = await Promise.allSettled([claiming, stored]);
    try {
      await stored;
    } catch (err) {
      if (claim.status === 'fulfilled' && claim.value.kind === 'claimed')
        await context.outcomes.answered(claim.value.message.id, holder.epoch, notWritten);
      throw err;
    }
    return claiming;
  }

  /** `upToSeq`: as in a claim. */
  async function sendNext(priority: number, upToSeq: bigint | null): Promise<Turn> {
    await context.pace.beforeTurn(priority);
    if (!context.isConnected()) return 'not-now';
    const askedAt = context.now();
    if (upToSeq === null) rung = false;
    const claim = await claimNext(priority, upToSeq);
    if (claim.kind === 'nothing') return 'done';
    if (claim.kind === 'missed') return 'again';
    if (claim.kind === 'unsettled') {
      unsettled = true;
      return 'again';
    }
    if (claim.kind === 'lease-lost') {
      context.onLeaseLost();
      return 'not-now';
    }
    if ((await send(claim.message, askedAt)) === 'unsettled') {
      unsettled = true;
      return 'not-now';
    }
    return claim.more ? 'again' : 'done';
  }

  /** Nothing unanswered is left behind, and nothing is being stored when it ends. */
  async function turn(send: () => Promise<Turn>): Promise<Turn> {
    if (!context.isConnected()) return 'not-now';
    if (unsettled && !(await settleAll())) return 'not-now';
    const ended = await send();
    await untilStored();
    return ended;
  }

  const turnOfJob = (job: LaneJob, isWanted: () => boolean): Promise<Turn> =>
    turn(() => (context.isPaced() ? sendNext(job.priority, boundOf(job)) : sendSeveral(job.priority, isWanted)));

  async function turnOfRing(isWanted: () => boolean): Promise<Turn> {
    ringWaits = false;
    return rung ? turn(() => sendSeveral(priorityRanks.otp, isWanted)) : 'done';
  }

  /** BullMQ sees no otp that comes meanwhile; Postgres does. */
  async function sendSeveral(priority: number, isWanted: () => boolean): Promise<Turn> {
    const until = context.now() + longTurnMs;
    const goesOn = () => !unsettled && isWanted() && !context.isPaced() && context.now() < until;
    let ended: Turn = 'again';
    // For an otp that was rung for meanwhile the next claim need not wait until the last one's answer is stored.
    const goesAgain = () => ended === 'again' || (ended === 'done' && rung && priority === priorityRanks.otp);
    while (goesAgain() && goesOn()) {
      if (priority !== priorityRanks.otp) await context.otpsFirst.giveWay();
      if (goesOn()) ended = await sendNext(priority, null);
    }
    return ended;
  }

  /** After trouble the turn is to be taken again, a while later. */
  async function orAgain(taken: Promise<Turn>, about: object): Promise<Turn> {
    try {
      return await taken;
    } catch (err) {
      // A claim may have been committed without our hearing of it.
      unsettled = true;
      log.warn({ err, ...about }, 'turn interrupted, will be taken again');
      await new Promise((resolve) => setTimeout(resolve, troubleDelayMs));
      return 'again';
    }
  }

  return {
    take: (job, isWanted) =>
      inTurn(() => orAgain(turnOfJob(job, isWanted), { messageId: job.messageId, requestId: job.requestId })),
    async ring(isWanted) {
      rung = true;
      if (ringWaits) return 'done';
      ringWaits = true;
      return inTurn(() => orAgain(turnOfRing(isWanted), {}));
    },
    settle: () =>
      inTurn(async () => {
        unsettled = true;
        try {
          if (context.isConnected()) await settleAll();
        } catch (err) {
          log.warn({ err }, 'settling interrupted, will be taken up again');
        }
      }),
    isBusy: () => running > 0,
    async idle() {
      await tail;
    },
  };
}
