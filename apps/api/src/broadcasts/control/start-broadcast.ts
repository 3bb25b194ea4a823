import { startBroadcast as start } from '@kurir/database/broadcasts';
import type { Handler } from '../../operations/operation-request.js';
import { asBroadcastId, requireDone, requireUncounted } from '../require-broadcast.js';
import { showBroadcast } from '../show-broadcast.js';

export const startBroadcast: Handler<'startBroadcast'> = async ({ caller, auditAs, body, params }, { database }) => {
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  requireDone(
    'startBroadcast',
    await start(database, whose, body.confirm_any_hour === true, auditAs('broadcast.started')),
  );
  return showBroadcast(await requireUncounted(database, whose.accountId, whose.id));
};
