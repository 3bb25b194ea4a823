import { listMessages as readPage } from '@kurir/database';
import { showJob } from '../../handlers/show-job.js';
import type { DashboardHandler } from '../dashboard-request.js';

export const listMessages: DashboardHandler<'listMessages'> = async ({ visitor, query }, { database }) => {
  const page = await readPage(database, visitor.membership.accountId, query);
  return { messages: page.messages.map(showJob), next_cursor: page.nextCursor };
};
