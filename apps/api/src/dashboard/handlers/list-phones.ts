import { listWrittenTo } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';

export const listPhones: DashboardHandler<'listPhones'> = async ({ visitor }, { database }) => {
  const written = await listWrittenTo(database, visitor.membership.accountId);
  const phones = written.map(({ number, messages, lastAt }) => ({
    number,
    messages,
    last_message_at: lastAt.toISOString(),
  }));
  return { phones };
};
