import { readBroadcastText } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { asBroadcastId, requireBroadcast } from './require-broadcast.js';
import { showCounted } from './show-broadcast.js';

export const getBroadcast: Handler<'getBroadcast'> = async ({ caller, params }, { database, accountKeys, now }) => {
  const { accountId } = caller;
  const found = await requireBroadcast(database, accountId, params.broadcast_id);
  const text = await readBroadcastText(database, accountKeys, { id: asBroadcastId(params.broadcast_id), accountId });
  return showCounted(found, text, now());
};
