import { listWrittenTo } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { requireSimulator } from '../simulated-network.js';

export const listPhones: DashboardHandler<'listPhones'> = async ({ visitor }, api) => {
  requireSimulator(api);
  const written = await listWrittenTo(api.database, visitor.membership.accountId);
  const phones = written.map(({ number, messages, lastAt }) => ({
    number,
    messages,
    last_message_at: lastAt.toISOString(),
  }));
  return { phones };
};
