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
} from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { Session } from '@kurir/network';

export type TryContext = {
  readonly database: Database;
  readonly outcomes: OutcomeWriter;
  readonly holder: Holder;
  readonly session: Session;
  readonly isConnected: () => boolean;
  readonly log: Logger;
};

/** `unsettled`: the connection went before an answer came; the message stays `sending` for the next connection. */
export async function tryMessage(context: TryContext, claimed: ClaimedMessage): Promise<'settled' | 'unsettled'> {
  const { database, holder, log } = context;
  for (let message: ClaimedMessage | null = claimed; message !== null; ) {
    const { id, networkMessageId, recipient, text, requestId } = message;
    const outcome = await context.session.send({ networkMessageId, recipient, text });
    if (outcome.kind !== 'unknown') {
      await context.outcomes.answered(id, holder.epoch, outcome);
      log.info({ messageId: id, requestId, attempt: message.attempts, outcome: outcome.kind }, 'message answered');
      return 'settled';
    }
    log.warn({ messageId: id, requestId, attempt: message.attempts, reason: outcome.reason }, 'message not answered');
    if (!context.isConnected()) return 'unsettled';
    message = await nextTry(database, holder, { id, epoch: holder.epoch });
  }
  return 'settled';
}

/** The message claimed for its next try under its old id, or null when there is none: then it is given up, or was answered. */
export async function nextTry(
  database: Database,
  holder: Holder,
  message: Parameters<typeof claimAgain>[2],
): Promise<ClaimedMessage | null> {
  const again = await claimAgain(database, holder, message);
  if (again === null) await giveUp(database, holder, message);
  return again;
}
