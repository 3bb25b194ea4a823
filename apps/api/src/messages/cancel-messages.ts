import { cancelMessages as cancel } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { visibleDevices } from '../operations/test-keys.js';

export const cancelMessages: Handler<'cancelMessages'> = async (request, { database, signalLivePages }) => {
  const { caller, auditAs, body } = request;
  const filter = { ...body, deviceIds: await visibleDevices(database, caller) };
  const { cancelled, hasMore } = await cancel(database, caller.accountId, filter, auditAs('messages.cancelled'));
  if (cancelled > 0) signalLivePages();
  return { cancelled, has_more: hasMore };
};
