/**
 * Step 7, one try of a message: gives it to the driver under its own id and stores what the network answered. It may assume
 * that the message is claimed. Run twice, the receiver still shows the message once: the id is the same.
 */
import {
  type ClaimedMessage,
  type Database,
  type Holder,
  type OutcomeWriter,
  tryName,
  type TryOutcome,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';
import type { ContactNotes } from './note-contacts.js';
import type { TypingBeforeText } from './typing-before-text.js';
import { untilTaken } from './until-taken.js';

/** The try that was given to the driver last under the present lease; empty: none. */
export type LastTry = { name: string };

export type TryContext = {
  readonly database: Database;
  readonly outcomes: OutcomeWriter;
  readonly holder: Holder;
  readonly session: Session;
  readonly isConnected: () => boolean;
  readonly typing: TypingBeforeText;
  readonly contacts: ContactNotes;
  readonly lastTry: LastTry;
  /** Milliseconds by a clock that goes on while this process stands still. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
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
 * - `answered`: what became of the try is stored.
 * - `unanswered`: the network said nothing in time; the message stays `sending`.
 * - `not-now`: the connection went; what was written stays `sending` for the next one.
 *
 * Rejects when an answer could not be stored: the message stays `sending` and goes out again under its id.
 *
 * `askedAt`: by `now`, before the claim.
 */
export async function tryMessage(
  context: TryContext,
  message: ClaimedMessage,
  askedAt: number,
): Promise<'answered' | 'unanswered' | 'not-now'> {
  const { log, session } = context;
  const { id, networkMessageId, recipient, text, requestId } = message;
  const about = { messageId: id, requestId, attempt: message.attempts };
  if (message.attempts === 1) await context.typing.before(session, recipient);
  if (!context.isConnected()) {
    await context.outcomes.answered(message, context.holder.epoch, notWritten);
    return 'not-now';
  }
  if (isTooLate(message, context.now() - askedAt)) {
    await store(context, message, notWritten);
    return 'answered';
  }
  context.lastTry.name = tryName(message);
  if (message.attempts > 1) log.info(about, 'message tried again');
  const outcome = await session.send({ networkMessageId, recipient, text });
  // Committed before the outcome is, so that a crash between the two leaves no contact that counts as a stranger. What got
  // no answer may have gone out and counts too.
  if (outcome.kind !== 'not-sent')
    await untilTaken(() => context.contacts.wrote(recipient, networkMessageId), context, { messageId: id });
  if (outcome.kind === 'unknown') {
    log.warn({ ...about, reason: outcome.reason }, 'message not answered');
    // The end of a session is told after its sends were answered.
    return outcome.reason === 'connection_lost' || !context.isConnected() ? 'not-now' : 'unanswered';
  }
  await store(context, message, patient(outcome, message.attempts));
  log.info({ ...about, outcome: outcome.kind }, 'message answered');
  return 'answered';
}

const longestPauseMs = 60_000;

/** A network that asks to try again gets a pause that grows with the tries, whatever it proposed. */
function patient(outcome: TryOutcome, attempts: number): TryOutcome {
  if (outcome.kind !== 'not-sent' || outcome.permanent) return outcome;
  const pauseMs = Math.min(longestPauseMs, 250 * 2 ** Math.min(attempts, 10));
  return { ...outcome, retryAfterMs: Math.max(outcome.retryAfterMs, pauseMs) };
}

function store(context: TryContext, message: ClaimedMessage, outcome: TryOutcome): Promise<boolean> {
  const write = () => context.outcomes.answered(message, context.holder.epoch, outcome);
  return untilTaken(write, context, { messageId: message.id });
}
