import { listRecipients } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { requireUncounted } from './require-broadcast.js';
import { showRecipient } from './show-broadcast.js';

export const listBroadcastRecipients: Handler<'listBroadcastRecipients'> = async (request, { database }) => {
  const { caller, params, query } = request;
  const { id } = await requireUncounted(database, caller.accountId, params.broadcast_id);
  const { recipients, nextCursor } = await listRecipients(database, id, query);
  return { recipients: recipients.map(showRecipient), next_cursor: nextCursor };
};
