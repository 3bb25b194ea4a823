/**
 * Steps 5 to 7 for one connected device. A turn is a loop: claim a message, send it, store the answer, claim the next. One
 * turn runs at a time. It may assume nothing about what stands in Postgres: a claim finds what an earlier turn, connection
 * or owner left. Run twice, the second turn finds nothing due.
 */
import { priorityRanks } from '@kurir/contracts';
import {
  capPace,
  type ClaimOutcome,
  type ClaimRequest,
  type GroupCommit,
  giveUp,
  type StandingMessage,
} from '@kurir/database';
import type { Ticket, TurnEnd } from '@kurir/queue';
import { storeLastOutcome, type TryContext, type TryEnd, tryMessage } from './try-message.js';
import { untilTaken } from './until-taken.js';

export type DeviceLaneContext = TryContext & {
  readonly claimer: GroupCommit<ClaimRequest, ClaimOutcome>;
  readonly onLeaseLost: () => void;
  /** The pace lets messages go again: those that are due need tickets. */
  readonly onPaceOpen: () => void;
  /** Calls after so many milliseconds; the function that it returns calls that off. */
  readonly after: (ms: number, call: () => void) => () => void;
};

export type DeviceLane = {
  /** Takes the turn of a ticket; never rejects. Once `isWanted` says no, it ends after its present message. */
  take(ticket: Ticket, isWanted: () => boolean): Promise<TurnEnd>;
  /** A turn without a ticket, for what stands unanswered; never rejects. */
  recover(isWanted: () => boolean): Promise<void>;
  /** The device has another pace: it counts at once, and due messages get tickets. Rejects when Postgres is away. */
  paceChanged(): Promise<void>;
  /** Whether a turn is running. */
  isBusy(): boolean;
  /** Resolves when what runs now is over; never rejects. */
  idle(): Promise<void>;
  /** Its connection is over: it asks for no more tickets. */
  close(): void;
};

/** After this a turn gives its place to the lane's other tickets. */
const longestTurnMs = 250;
/** A database or Redis that is away is asked again after this; the turn keeps its place. */
const troubleDelayMs = 500;
/** A timer may fire a moment early; a lane that is looked at before its pace opens would wait for the sweep. */
const paceMarginMs = 2;

type Pace = {
  /** Whether the last claim said that nothing but codes may go, and that time is not over. */
  isClosed(): boolean;
  closeFor(ms: number): void;
  open(): void;
  /** As if no claim had said anything; asks for nothing. */
  forget(): void;
};

function createPace({ now, after, onPaceOpen }: Pick<DeviceLaneContext, 'now' | 'after' | 'onPaceOpen'>): Pace {
  let opensAt = Number.NEGATIVE_INFINITY;
  let callOff = () => {};
  const forget = () => {
    callOff();
    opensAt = Number.NEGATIVE_INFINITY;
  };
  const open = () => {
    forget();
    onPaceOpen();
  };
  return {
    isClosed: () => now() < opensAt,
    closeFor(ms) {
      callOff();
      const waitMs = Math.ceil(ms) + paceMarginMs;
      opensAt = now() + waitMs;
      callOff = after(waitMs, open);
    },
    open,
    forget,
  };
}

/** A message that is given up may have gone out, so its contact is committed first. */
async function giveUpStanding(context: DeviceLaneContext, message: StandingMessage): Promise<void> {
  const { contacts, database, holder } = context;
  await untilTaken(() => contacts.took(message.networkMessageId), context, { messageId: message.id });
  await giveUp(database, holder, message);
}

type StepEnd = TurnEnd | TryEnd;

/** One claim and what follows from it; or how the turn ends. */
async function step(context: DeviceLaneContext, pace: Pace, isWanted: () => boolean): Promise<StepEnd> {
  await storeLastOutcome(context);
  const askedAt = context.now();
  const claimed = await context.claimer.submit({ ...context.holder, lastTry: context.lastTry.name });
  switch (claimed.kind) {
    case 'nothing':
      return 'done';
    case 'waits':
      if (isWanted()) pace.closeFor(claimed.waitMs);
      return 'done';
    case 'lease-lost':
      context.onLeaseLost();
      return 'not-now';
    case 'busy':
      return 'go-on';
    case 'exhausted':
      await giveUpStanding(context, claimed.message);
      return 'go-on';
    case 'claimed':
      return tryMessage(context, claimed.message, askedAt);
  }
}

async function turn(context: DeviceLaneContext, pace: Pace, isWanted: () => boolean): Promise<TurnEnd> {
  const until = context.now() + longestTurnMs;
  while (isWanted()) {
    if (!context.isConnected()) return 'not-now';
    const ended = await step(context, pace, isWanted);
    if (ended !== 'go-on' && ended !== 'unanswered') return ended;
    // A message without an answer has its next try at once, or lets a code go first.
    if (ended === 'go-on' && context.now() >= until) break;
  }
  return 'again';
}

/** After trouble the turn is to be taken again, a while later. What a claim left that nobody heard of, the next one finds. */
async function orAgain(context: DeviceLaneContext, taken: Promise<TurnEnd>, about: object): Promise<TurnEnd> {
  try {
    return await taken;
  } catch (err) {
    context.log.warn({ err, ...about }, 'turn interrupted, will be taken again');
    await context.pause(troubleDelayMs);
    return 'again';
  }
}

export function createDeviceLane(context: DeviceLaneContext): DeviceLane {
  const pace = createPace(context);
  let tail: Promise<unknown> = Promise.resolve();
  let running = 0;

  /** One after the other, also while a lane is opened anew. */
  function serialised<T>(work: () => Promise<T>): Promise<T> {
    running++;
    const result = tail.then(work).finally(() => running--);
    tail = result.catch(() => undefined);
    return result;
  }

  return {
    take: ({ priority, messageId, requestId }, isWanted) =>
      serialised(async () => {
        if (priority !== priorityRanks.otp && pace.isClosed()) return 'done';
        return orAgain(context, turn(context, pace, isWanted), { messageId, requestId });
      }),
    recover: (isWanted) => serialised(async () => void (await orAgain(context, turn(context, pace, isWanted), {}))),
    paceChanged: () =>
      serialised(async () => {
        await capPace(context.database, context.holder.deviceId);
        pace.open();
      }),
    isBusy: () => running > 0,
    async idle() {
      await tail;
    },
    close: pace.forget,
  };
}
