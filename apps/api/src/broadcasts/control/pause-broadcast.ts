import { pauseBroadcast as pause } from '@kurir/database/broadcasts';
import type { Handler } from '../../operations/operation-request.js';
import { asBroadcastId, requireDone, requireUncounted } from '../require-broadcast.js';
import { showBroadcast } from '../show-broadcast.js';

export const pauseBroadcast: Handler<'pauseBroadcast'> = async ({ caller, auditAs, params }, { database }) => {
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  requireDone('pauseBroadcast', await pause(database, whose, auditAs('broadcast.paused')));
  return showBroadcast(await requireUncounted(database, whose.accountId, whose.id));
};
