import type { DashboardHandler } from '../dashboard-request.js';

export const streamEvents: DashboardHandler<'streamEvents'> = ({ visitor, lastEventId }, { live }, streamed) => {
  const { session, membership } = visitor;
  const who = { sessionId: session.id, accountId: membership.accountId, role: membership.role };
  return live.stream({ who, lastEventId, streamed });
};
