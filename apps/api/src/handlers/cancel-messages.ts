import { cancelMessages as cancel } from '@kurir/database';
import type { Handler } from '../verified-request.js';

export const cancelMessages: Handler<'cancelMessages'> = async ({ caller, body }, { database, ringLive }) => {
  const { accountId, keyId: actor, by } = caller;
  const audit = by === 'person' ? ({ accountId, actor, action: 'messages.cancelled' } as const) : undefined;
  const { cancelled, hasMore } = await cancel(database, accountId, body, audit);
  if (cancelled > 0) ringLive();
  return { data: { cancelled, has_more: hasMore } };
};
