import { ApiError } from '@kurir/contracts';
import { changeBroadcast } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { noSuchDevice } from './create-broadcast.js';
import { asBroadcastId, broadcastNotFound, requireUncounted, unconfirmed } from './require-broadcast.js';
import { showBroadcast } from './show-broadcast.js';
import { wrongState } from './wrong-state.js';

const leavesOut = (count: number): ApiError =>
  new ApiError(
    'INVALID_REQUEST',
    `window: no hour of it is open in all time zones of ${count} people who have got no message. Give a wider window, or the hours of the account.`,
    { fault: { field: 'window', rule: 'other' } },
  );

export const updateBroadcast: Handler<'updateBroadcast'> = async ({ caller, auditAs, body, params }, { database }) => {
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  const changed = await changeBroadcast(database, whose, body, auditAs('broadcast.changed'));
  if (changed === 'not-found') throw broadcastNotFound();
  if (changed === 'no-such-device') throw noSuchDevice();
  if (changed === 'unconfirmed') throw unconfirmed();
  if (typeof changed === 'object') throw leavesOut(changed.leavesOut);
  const broadcast = await requireUncounted(database, whose.accountId, whose.id);
  if (changed === 'ended') throw wrongState('updateBroadcast', broadcast.state);
  return showBroadcast(broadcast);
};
