import { listBroadcasts as list } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { byTestKey } from '../operations/test-keys.js';
import { showBroadcast } from './show-broadcast.js';

export const listBroadcasts: Handler<'listBroadcasts'> = async ({ caller, query }, { database }) => {
  const { broadcasts, nextCursor } = await list(database, caller.accountId, {
    ...query,
    ofTestKeys: byTestKey(caller),
  });
  return { broadcasts: broadcasts.map(showBroadcast), next_cursor: nextCursor };
};
