import { resumeBroadcast as resume } from '@kurir/database/broadcasts';
import type { Handler } from '../../operations/operation-request.js';
import { asBroadcastId, requireDone, requireUncounted } from '../require-broadcast.js';
import { showBroadcast } from '../show-broadcast.js';

export const resumeBroadcast: Handler<'resumeBroadcast'> = async ({ caller, auditAs, body, params }, { database }) => {
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  requireDone('resumeBroadcast', await resume(database, whose, body.scope ?? 'pending', auditAs('broadcast.resumed')));
  return showBroadcast(await requireUncounted(database, whose.accountId, whose.id));
};
