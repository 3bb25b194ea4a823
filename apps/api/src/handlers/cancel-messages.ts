import { cancelMessages as cancel } from '@kurir/database';
import type { Handler } from '../verified-request.js';

export const cancelMessages: Handler<'cancelMessages'> = async ({ caller, body }, { database, ringLive }) => {
  const { cancelled, hasMore } = await cancel(database, caller.accountId, body);
  if (cancelled > 0) ringLive();
  return { data: { cancelled, has_more: hasMore } };
};
