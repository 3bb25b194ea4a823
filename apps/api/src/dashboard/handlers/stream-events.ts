import type { DashboardHandler } from '../dashboard-request.js';

export const streamEvents: DashboardHandler<'streamEvents'> = ({ visitor, lastEventId }, { live }, res) =>
  live.stream({ accountId: visitor.membership.accountId, lastEventId, res });
