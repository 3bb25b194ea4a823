/**
 * Step 7, one message at the driver: sends it under its own id until the network answers, its tries are used up
 * or the connection is gone. It may assume that the message is claimed. Run twice, the receiver still shows the
 * message once: the id is the same.
 */
import {
  type ClaimedMessage,
  claimAgain,
  type Database,
  giveUp,
  type Holder,
  type OutcomeWriter,
  priorityRanks,
  type TryOutcome,
  type UnsettledMessage,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';
import type { ContactNotes } from './note-contacts.js';
import type { OtpsFirstOfDevice } from './otps-first.js';
import type { PolitePace } from './polite-pace.js';
import { untilTaken } from './until-taken.js';

export type TryContext = {
  readonly database: Database;
  readonly outcomes: OutcomeWriter;
  readonly holder: Holder;
  readonly session: Session;
  readonly isConnected: () => boolean;
  readonly pace: PolitePace;
  readonly contacts: ContactNotes;
  readonly otpsFirst: OtpsFirstOfDevice;
  /** Milliseconds by a clock that goes on while this process stands still. */
  readonly now: () => number;
  readonly log: Logger;
};

/** Nothing was written: the message keeps its place, for the next session or the sweep. */
const notWritten: TryOutcome = {
  kind: 'not-sent',
  permanent: false,
  reason: 'temporarily_unavailable',
  retryAfterMs: 0,
};

/** A worker may have stood still since it claimed the message, however long. */
function isTooLate({ expiresInMs }: ClaimedMessage, sinceMs: number): boolean {
  return expiresInMs !== null && sinceMs >= expiresInMs;
}

/**
 * - `settled`: what became of it is stored, and it goes out no more.
 * - `waits`: it did not go out and waits, for its next try or to be expired; that is stored.
 * - `unsettled`: the connection went before an answer came; what was written stays `sending` for the next connection.
 * - `stored`: the network has it; resolves when that is stored.
 */
export type TryEnd = 'settled' | 'waits' | 'unsettled' | { readonly stored: Promise<void> };

export type TryHooks = {
  /** From now on the network may have it. */
  readonly begins: () => void;
  /**
   * Has what stands as `sending` behind it wait again, which is committed before this one waits: after a crash between the two it would
   * overtake.
   */
  readonly letOthersWait: () => Promise<void>;
};

/** `askedAt`: by `now`, before the claim. */
export async function tryMessage(
  context: TryContext,
  claimed: ClaimedMessage,
  askedAt: number,
  { begins, letOthersWait }: TryHooks,
): Promise<TryEnd> {
  const { holder, log, outcomes, session } = context;
  let since = askedAt;
  for (let message: ClaimedMessage | null = claimed; message !== null; ) {
    const { id, networkMessageId, recipient, text, requestId } = message;
    if (message.attempts === 1) await context.pace.beforeText(session, recipient);
    if (!context.isConnected()) {
      await letOthersWait();
      await outcomes.answered(message, holder.epoch, notWritten);
      return 'unsettled';
    }
    if (isTooLate(message, context.now() - since)) {
      await letOthersWait();
      await writeAnswer(context, message, notWritten);
      return 'waits';
    }
    if (message.priority === priorityRanks.otp) context.otpsFirst.sending();
    begins();
    const outcome = await session.send({ networkMessageId, recipient, text });
    // Committed before the outcome is, so that a crash between the two leaves no contact that counts as a stranger. What got
    // no answer may have gone out and counts too. Where it rejects, the message stays `sending` and is resumed.
    if (outcome.kind !== 'not-sent')
      await untilTaken(() => context.contacts.wrote(recipient, networkMessageId), context, { messageId: id });
    if (outcome.kind === 'not-sent' && !outcome.permanent) await letOthersWait();
    if (outcome.kind !== 'unknown') {
      const told = { messageId: id, requestId, attempt: message.attempts, outcome: outcome.kind };
      const stored = writeAnswer(context, message, patient(outcome, message.attempts)).then(() =>
        log.info(told, 'message answered'),
      );
      if (outcome.kind === 'sent') return { stored };
      await stored;
      return outcome.permanent ? 'settled' : 'waits';
    }
    log.warn({ messageId: id, requestId, attempt: message.attempts, reason: outcome.reason }, 'message not answered');
    // The end of a session is told after its sends were answered.
    if (outcome.reason === 'connection_lost' || !context.isConnected()) return 'unsettled';
    since = context.now();
    message = await nextTry(context, { id, networkMessageId, epoch: holder.epoch });
  }
  return 'settled';
}

const longestPauseMs = 60_000;

/** A network that asks to try again gets a pause that grows with the tries, whatever it proposed. */
function patient(outcome: TryOutcome, attempts: number): TryOutcome {
  if (outcome.kind !== 'not-sent' || outcome.permanent) return outcome;
  const pauseMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempts, 10));
  return { ...outcome, retryAfterMs: Math.max(outcome.retryAfterMs, pauseMs) };
}

/** The message's text is kept no longer for it. */
function writeAnswer(
  context: TryContext,
  { id, networkMessageId }: ClaimedMessage,
  outcome: TryOutcome,
): Promise<unknown> {
  const write = () => context.outcomes.answered({ id, networkMessageId }, context.holder.epoch, outcome);
  return untilTaken(write, context, { messageId: id });
}

/**
 * The message claimed for its next try under its old id, or null when there is none: then it is given up, or was answered. A
 * message that is given up may have gone out, so its contact is committed first.
 */
export async function nextTry(
  context: TryContext,
  message: Pick<UnsettledMessage, 'id' | 'networkMessageId' | 'epoch'>,
): Promise<ClaimedMessage | null> {
  const { database, holder } = context;
  const again = await claimAgain(database, holder, message);
  if (again !== null) return again;
  await untilTaken(() => context.contacts.took(message.networkMessageId), context, { messageId: message.id });
  await giveUp(database, holder, message);
  return null;
}
