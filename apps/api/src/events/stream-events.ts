import type { Handler } from '../operations/operation-request.js';

export const streamEvents: Handler<'streamEvents'> = ({ caller }, { live }, streamed) => {
  const { session, membership } = caller.visitor;
  const who = { sessionId: session.id, accountId: membership.accountId, role: membership.role };
  return live.stream({ who, userId: caller.actor, lastEventId: caller.headers.get('Last-Event-ID'), streamed });
};
