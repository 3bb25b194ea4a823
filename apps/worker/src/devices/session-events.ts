/** Step 8, receipt: what a session reports is committed before the driver acknowledges it to the network. */
import type { Database, Holder, OutcomeWriter } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { SessionEvents } from '@kurir/network';
import type { ContactNotes } from '../messages/note-contacts.js';
import { createLimitsStore } from './store-limits.js';
import { untilTaken } from '../messages/until-taken.js';

export type SessionEventsContext = Pick<SessionEvents, 'connected' | 'ended'> & {
  readonly database: Database;
  readonly outcomes: OutcomeWriter;
  readonly holder: Holder;
  readonly contacts: ContactNotes;
  readonly isConnected: () => boolean;
  readonly isOver: () => boolean;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Logger;
};

export function createSessionEvents(context: SessionEventsContext): SessionEvents {
  const { database, holder, contacts, isOver, log } = context;
  return {
    connected: context.connected,
    acknowledged: ({ networkMessageId }) => report(context, networkMessageId, 'sent'),
    receipt: ({ networkMessageId, status }) => report(context, networkMessageId, status),
    inbound: async ({ networkMessageId, from }) => {
      await contacts.heard(from);
      log.info({ networkMessageId }, 'message received');
    },
    limits: createLimitsStore(database, holder, log, isOver),
    ended: context.ended,
  };
}

/**
 * Tried until Postgres takes it: an open connection is not told a second time, only the next one is. The contact is committed
 * first, so that a crash between the two leaves none that counts as a stranger.
 */
function report(
  context: SessionEventsContext,
  networkMessageId: string,
  status: 'sent' | 'delivered' | 'read',
): Promise<unknown> {
  const reported = { deviceId: context.holder.deviceId, networkMessageId, status };
  const write = () => context.contacts.took(networkMessageId).then(() => context.outcomes.reported(reported));
  return untilTaken(write, context, { networkMessageId });
}
