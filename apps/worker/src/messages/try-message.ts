/**
 * Step 7, one try of a message: gives it to the driver under its own id and stores what the network answered. It may assume
 * that the message is claimed. Run twice, the receiver still shows the message once: the id is the same.
 */
import {
  type ClaimedMessage,
  type Database,
  type Holder,
  isUnavailable,
  type OutcomeWriter,
  tryName,
  type TryOutcome,
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { SendOutcome, Session } from '@kurir/network';
import type { ContactNotes } from './note-contacts.js';
import type { TypingBeforeText } from './typing-before-text.js';
import { untilTaken } from './until-taken.js';

/** What a device's holder knows of the try that it gave to the driver last, under its present lease. */
export type LastTry = {
  /** By `tryName`; empty: there was none. */
  name: string;
  /** What the driver said and Postgres has not taken yet. It is stored before the next claim. */
  unstored: { readonly message: ClaimedMessage; readonly outcome: SendOutcome; refusals: number } | null;
};

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

/** A worker may have stood still since it claimed the message, however long. */
function isTooLate({ expiresInMs }: ClaimedMessage, sinceMs: number): boolean {
  return expiresInMs !== null && sinceMs >= expiresInMs;
}

/**
 * - `go-on`: what became of the try is stored.
 * - `unanswered`: the network said nothing in time; the message stays `sending`.
 * - `not-now`: the connection went; what was written stays `sending` for the next one.
 */
export type TryEnd = 'go-on' | 'unanswered' | 'not-now';

/**
 * `askedAt`: by `now`, before the claim. Rejects when what became of the try could not be stored: if the driver said it,
 * `storeLastOutcome` stores it later; else the message goes out again under its id.
 */
export async function tryMessage(context: TryContext, message: ClaimedMessage, askedAt: number): Promise<TryEnd> {
  const { lastTry, log, session } = context;
  const { networkMessageId, recipient, content } = message;
  if (typeof content === 'string') {
    await store(context, message, withoutContent[content]);
    log.error({ ...aboutTry(message), content }, 'message content not readable');
    return 'go-on';
  }
  if (message.attempts === 1) await context.typing.before(session, recipient);
  if (!context.isConnected()) {
    await context.outcomes.answered(message, context.holder.epoch, { kind: 'not-written' });
    return 'not-now';
  }
  if (isTooLate(message, context.now() - askedAt)) {
    await store(context, message, { kind: 'not-written' });
    return 'go-on';
  }
  lastTry.name = tryName(message);
  if (message.attempts > 1) log.info(aboutTry(message), 'message tried again');
  const outcome = await session.send({ networkMessageId, recipient, content });
  lastTry.unstored = { message, outcome, refusals: 0 };
  await storeLastOutcome(context);
  if (outcome.kind !== 'unknown') return 'go-on';
  log.warn({ ...aboutTry(message), reason: outcome.reason }, 'message not answered');
  // The end of a session is told after its sends were answered.
  return outcome.reason === 'connection_lost' || !context.isConnected() ? 'not-now' : 'unanswered';
}

/** A worker of a newer version may read a kind that is unknown here. */
const withoutContent = {
  unreadable: { kind: 'not-sent', permanent: true, reason: 'content_unreadable' },
  unknown: { kind: 'not-sent', permanent: false, reason: 'temporarily_unavailable', retryAfterMs: 60_000 },
} as const satisfies Record<string, TryOutcome>;

const aboutTry = ({ id, requestId, attempts }: ClaimedMessage) => ({ messageId: id, requestId, attempt: attempts });

/** One that Postgres refuses so often would stop the lane for ever: its message goes out again under its id instead. */
const mostRefusals = 3;

/** Stores what the driver said last, if that is not stored. Rejects when Postgres does not take it; then call it again. */
export async function storeLastOutcome(context: TryContext): Promise<void> {
  const { lastTry } = context;
  const { unstored } = lastTry;
  if (unstored === null) return;
  try {
    await storeOutcome(context, unstored);
    lastTry.unstored = null;
  } catch (err) {
    if (!isUnavailable(err) && ++unstored.refusals >= mostRefusals) lastTry.unstored = null;
    throw err;
  }
}

type Told = { readonly message: ClaimedMessage; readonly outcome: SendOutcome };

async function storeOutcome(context: TryContext, { message, outcome }: Told): Promise<void> {
  const { contacts, log } = context;
  const { id, networkMessageId, recipient } = message;
  // Committed before the outcome is, so that a crash between the two leaves no contact that counts as a stranger. What got
  // no answer may have gone out and counts too.
  if (outcome.kind !== 'not-sent')
    await untilTaken(() => contacts.wrote(recipient, networkMessageId), context, { messageId: id });
  if (outcome.kind !== 'unknown') {
    await store(context, message, patient(outcome, message.attempts));
    log.info({ ...aboutTry(message), outcome: outcome.kind }, 'message answered');
  }
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
