import { listMessages as readPage } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';
import { showJob } from './show-job.js';

export const listMessages: Handler<'listMessages'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, {
    ...query,
    deviceIds: await visibleDevices(database, caller),
  });
  return { messages: page.messages.map(showJob), next_cursor: page.nextCursor };
};
