import { cancelMessages as cancel } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

export const cancelMessages: Handler<'cancelMessages'> = async (request, { database, signalLivePages }) => {
  const { caller, auditAs, body } = request;
  const { cancelled, hasMore } = await cancel(database, caller.accountId, body, auditAs('messages.cancelled'));
  if (cancelled > 0) signalLivePages();
  return { cancelled, has_more: hasMore };
};
