/** Step 8, receipt: what a session reports is committed before the driver acknowledges it to the network. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, type Holder, isUnavailable, type OutcomeWriter } from '@kurir/database';
import type { Logger } from '@kurir/logging';
import type { SessionEvents } from '@kurir/network';
import type { ContactNotes } from './note-contacts.js';
import { createLimitsStore } from './store-limits.js';

export type SessionEventsContext = Pick<SessionEvents, 'connected' | 'ended'> & {
  readonly database: Database;
  readonly outcomes: OutcomeWriter;
  readonly holder: Holder;
  readonly contacts: ContactNotes;
  readonly isConnected: () => boolean;
  readonly isOver: () => boolean;
  readonly log: Logger;
};

/** A report that Postgres could not take is written again after this. */
const reportAgainMs = 500;

export function createSessionEvents(context: SessionEventsContext): SessionEvents {
  const { database, holder, contacts, isOver, log } = context;
  return {
    connected: context.connected,
    acknowledged: async ({ networkMessageId }) => {
      await report(context, networkMessageId, 'sent');
      await contacts.took(networkMessageId);
    },
    receipt: ({ networkMessageId, status }) => report(context, networkMessageId, status),
    inbound: async ({ networkMessageId, from }) => {
      await contacts.heard(from);
      log.info({ networkMessageId }, 'message received');
    },
    limits: createLimitsStore(database, holder, log, isOver),
    ended: context.ended,
  };
}

/** Tried until Postgres takes it: an open connection is not told a second time, only the next one is. */
async function report(
  { outcomes, holder, isConnected, log }: SessionEventsContext,
  networkMessageId: string,
  status: 'sent' | 'delivered' | 'read',
): Promise<void> {
  for (;;) {
    try {
      await outcomes.reported({ deviceId: holder.deviceId, networkMessageId, status });
      return;
    } catch (err) {
      if (!isConnected() || !isUnavailable(err)) throw err;
      log.warn({ err, networkMessageId }, 'report not written, will be tried again');
      await sleep(reportAgainMs);
    }
  }
}
