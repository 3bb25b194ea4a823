/**
 * Steps 5 to 7 for one connected device: turns of its lane, one at a time, of one message each where the device keeps a
 * pace or a jitter. What an earlier owner or a broken connection left in `sending` is settled first, oldest first, so that
 * nothing overtakes it.
 */
import {
  type ClaimedMessage,
  priorityRanks,
  readUnsettled,
  type SendingMessage,
  type UnsettledMessage,
} from '@kurir/database';
import type { LaneJob, Turn } from '@kurir/queue';
import { createInHand, type InHand } from './in-hand.js';
import { createLaneMessages, type LaneMessagesContext } from './lane-messages.js';
import { nextTry } from './try-message.js';

export type DeviceLaneContext = LaneMessagesContext & {
  readonly onLeaseLost: () => void;
  /** Without a pace or a jitter to keep, a turn may send several messages. */
  readonly isPaced: () => boolean;
  /** A turn that is no otp's goes on: whoever rings for otps from now on should be heard. */
  readonly listenForOtps: () => void;
  /** Calls after so many milliseconds, unless it is called off first: by what this answers. */
  readonly after: (ms: number, call: () => void) => () => void;
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

/** How long a turn of several messages claims more, and sends what is in hand. */
type Run = { mayClaim(): boolean; maySend(): boolean };

/** After this a turn of several messages claims no more, and whatever waits for the lane has its turn. */
const longTurnMs = 3_000;
/** A claim takes what goes out within this, and no more than so many: until they are out nobody can cancel them. */
const soonMs = 1_000;
const mostInHand = 8;
/** An otp in hand whose worker dies becomes `unknown`, not `expired`, when its time runs out before the next one has it. */
const mostOtpsInHand = 4;
/** A database or Redis that is away is asked again after this; the turn keeps its place. */
const troubleDelayMs = 500;

/** Of the otps of a lane one job waits at a time: it takes all of them, whatever their place. */
const boundOf = (job: LaneJob) => (job.priority === priorityRanks.otp ? null : job.seq);

export function createDeviceLane(context: DeviceLaneContext): DeviceLane {
  const { database, holder, log } = context;
  const messages = createLaneMessages(context);
  let unsettled = true;
  /** By the last claim, of what was in hand until it was out; before it, a cautious guess. */
  let msPerMessage = 250;
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

  /** True when nothing unanswered is left. */
  async function settleAll(): Promise<boolean> {
    await messages.untilStored();
    const all = await readUnsettled(database, holder.deviceId);
    messages.noteFound(all);
    await messages.handBack(all.filter(messages.isUntried));
    const hand = createInHand(
      all.filter((message) => !messages.isUntried(message)),
      letWait,
    );
    const isOver = await hand.untilGone(resumeAll(hand));
    if (isOver) unsettled = false;
    return isOver;
  }

  /** One after the other; what does not go out soon waits, so that nothing new waits for all of it. False: the connection went. */
  async function resumeAll(hand: InHand<UnsettledMessage>): Promise<boolean> {
    const begunAt = context.now();
    for (let first = hand.take(); first !== undefined; first = hand.take()) {
      if (!context.isConnected()) return false;
      const askedAt = context.now();
      const message = await nextTry(context, first);
      if (message === null) continue;
      log.info({ messageId: message.id, requestId: message.requestId, attempt: message.attempts }, 'message resumed');
      const ended = await sendImpatiently(message, askedAt, hand);
      if (ended === 'unsettled') return false;
      await messages.untilStored();
      if (context.now() - begunAt > soonMs) await hand.putBack();
    }
    return true;
  }

  /** What was left in `sending` waits again, one more try without an answer. */
  async function letWait(left: readonly UnsettledMessage[]): Promise<void> {
    for (const message of left.toReversed()) {
      const again = await nextTry(context, message);
      if (again !== null) await messages.handBack([again]);
    }
  }

  /** How many a claim may take: as many as go out soon. Of what is no otp one at a time where that decides what may go next, or otps come. */
  function mostOf(priority: number): number {
    if (context.isPaced() || context.pace.hasTyping() || context.contacts.decideWhatIsNext) return 1;
    if (priority !== priorityRanks.otp && context.otpsFirst.areComing()) return 1;
    const most = priority === priorityRanks.otp ? mostOtpsInHand : mostInHand;
    return Math.max(1, Math.min(most, Math.floor(soonMs / msPerMessage)));
  }

  /** `upToSeq`: as in a claim. */
  async function sendNext(priority: number, upToSeq: bigint | null, run: Run): Promise<Turn> {
    await context.pace.beforeTurn(priority);
    if (!context.isConnected()) return 'not-now';
    const askedAt = context.now();
    if (upToSeq === null) rung = false;
    const claim = await messages.claim(priority, upToSeq, mostOf(priority));
    if (claim.kind === 'nothing') return 'done';
    if (claim.kind === 'unsettled') {
      unsettled = true;
      return 'again';
    }
    if (claim.kind === 'lease-lost') {
      context.onLeaseLost();
      return 'not-now';
    }
    if (priority !== priorityRanks.otp && (claim.more || claim.messages.length > 1)) context.listenForOtps();
    const ended = await sendAll(claim.messages, askedAt, run);
    return ended === 'done' && claim.more ? 'again' : ended;
  }

  /** In order; what is left when one has to wait or takes long, when otps come, or the run ends, is handed back. */
  async function sendAll(claimed: readonly ClaimedMessage[], askedAt: number, run: Run): Promise<Turn> {
    const hand = createInHand(claimed, messages.handBack);
    const isGone = await hand.untilGone(sendEach(hand, askedAt, run));
    if (isGone) return 'not-now';
    return hand.wasCut() ? 'again' : 'done';
  }

  /** True: the connection went. */
  async function sendEach(hand: InHand<ClaimedMessage>, askedAt: number, run: Run): Promise<boolean> {
    const inHandSince = context.now();
    let out = 0;
    for (let message = hand.take(); message !== undefined; message = hand.take()) {
      const ended = await sendImpatiently(message, askedAt, hand);
      out++;
      msPerMessage = ended === 'waits' ? soonMs : (context.now() - inHandSince) / out;
      if (ended === 'unsettled') {
        unsettled = true;
        await hand.putBack();
        return true;
      }
      if (!(await mayGoOn(hand.next(), run))) await hand.putBack();
    }
    return false;
  }

  /** Before the next message in hand: what is no otp leaves their time to other devices' otps, and lets our own go first. */
  async function mayGoOn(next: ClaimedMessage | undefined, run: Run): Promise<boolean> {
    if (next !== undefined && next.priority !== priorityRanks.otp) {
      if (!rung) await context.otpsFirst.giveWay();
      if (rung) return false;
    }
    return run.maySend();
  }

  /** What stands behind a message that has no answer soon need not wait in hand for it. */
  async function sendImpatiently(message: ClaimedMessage, askedAt: number, hand: InHand<SendingMessage>) {
    const callOff = context.after(soonMs, () => {
      hand.putBack().catch(() => undefined);
    });
    try {
      return await messages.send(message, askedAt, hand.putBack);
    } finally {
      callOff();
    }
  }

  /** Before what is no otp: our own go out, and other devices' get their time. */
  async function letOtpsGo(run: Run): Promise<Turn> {
    let ended: Turn = 'done';
    for (let hasPaused = false; ; hasPaused = true) {
      while ((rung || ended === 'again') && run.mayClaim()) ended = await sendNext(priorityRanks.otp, null, run);
      if (hasPaused || ended === 'not-now') return ended;
      await context.otpsFirst.giveWay();
    }
  }

  /** Nothing unanswered is left behind, and nothing is being stored when it ends. */
  async function turn(send: () => Promise<Turn>): Promise<Turn> {
    if (!context.isConnected()) return 'not-now';
    if (unsettled && !(await settleAll())) return 'not-now';
    const ended = await send();
    await messages.untilStored();
    return ended;
  }

  const turnOfJob = (job: LaneJob, isWanted: () => boolean): Promise<Turn> =>
    turn(() =>
      context.isPaced()
        ? sendNext(job.priority, boundOf(job), { mayClaim: isWanted, maySend: isWanted })
        : sendSeveral(job.priority, isWanted),
    );

  async function turnOfRing(isWanted: () => boolean): Promise<Turn> {
    ringWaits = false;
    return rung ? turn(() => sendSeveral(priorityRanks.otp, isWanted)) : 'done';
  }

  function beginRun(isWanted: () => boolean): Run {
    const until = context.now() + longTurnMs;
    const isFree = () => !unsettled && isWanted() && !context.isPaced();
    return {
      mayClaim: () => isFree() && context.now() < until,
      maySend: () => isFree() && context.now() < until + soonMs,
    };
  }

  /** BullMQ sees no otp that comes meanwhile; Postgres does, and who rings for it. */
  async function sendSeveral(priority: number, isWanted: () => boolean): Promise<Turn> {
    const run = beginRun(isWanted);
    const ofOtps = priority === priorityRanks.otp;
    let ended: Turn = 'again';
    // For an otp that was rung for meanwhile the next claim need not wait until the last one's answer is stored.
    const goesAgain = () => ended === 'again' || (ended === 'done' && rung && ofOtps);
    while (goesAgain() && run.mayClaim()) {
      if (!ofOtps && (await letOtpsGo(run)) === 'not-now') return 'not-now';
      if (run.mayClaim()) ended = await sendNext(priority, null, run);
    }
    return ended;
  }

  /** After trouble the turn is to be taken again, a while later. */
  async function orAgain(taken: Promise<Turn>, about: object): Promise<Turn> {
    try {
      return await taken;
    } catch (err) {
      // A claim may have been committed without our hearing of it, and what was in hand is nobody's.
      await messages.untilStored().catch(() => undefined);
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
      context.otpsFirst.rung();
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
