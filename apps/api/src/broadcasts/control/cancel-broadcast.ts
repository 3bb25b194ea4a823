import { cancelBroadcast as cancel } from '@kurir/database/broadcasts';
import type { Handler } from '../../operations/operation-request.js';
import { asBroadcastId, requireDone, requireUncounted } from '../require-broadcast.js';
import { showBroadcast } from '../show-broadcast.js';

export const cancelBroadcast: Handler<'cancelBroadcast'> = async ({ caller, auditAs, params }, { database }) => {
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  requireDone('cancelBroadcast', await cancel(database, whose, auditAs('broadcast.cancelled')));
  return showBroadcast(await requireUncounted(database, whose.accountId, whose.id));
};
