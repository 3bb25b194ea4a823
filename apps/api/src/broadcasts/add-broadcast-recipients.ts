import { ApiError, limits } from '@kurir/contracts';
import { addRecipients } from '@kurir/database/broadcasts';
import type { Handler } from '../operations/operation-request.js';
import { asBroadcastId, broadcastNotFound } from './require-broadcast.js';
import { wrongState } from './wrong-state.js';

export const addBroadcastRecipients: Handler<'addBroadcastRecipients'> = async ({ caller, body, params }, api) => {
  const { database, accountKeys } = api;
  const whose = { id: asBroadcastId(params.broadcast_id), accountId: caller.accountId };
  const added = await addRecipients(database, accountKeys, whose, body.after, body.rows);
  switch (added.kind) {
    case 'not-found':
      throw broadcastNotFound();
    case 'wrong-state':
      throw wrongState('addBroadcastRecipients', added.state);
    case 'too-many':
      throw new ApiError(
        'INVALID_REQUEST',
        `rows: a list has at most ${limits.broadcastMaxRecipients} rows. Create another broadcast for the rest.`,
        { fault: { field: 'rows', rule: 'too_many', limit: limits.broadcastMaxRecipients } },
      );
    case 'added':
      if (added.recipients < body.after)
        throw new ApiError(
          'INVALID_REQUEST',
          `after: the list has ${added.recipients} rows. Add the next rows with that number.`,
        );
      return { broadcast_id: whose.id, recipients: added.recipients };
  }
};
