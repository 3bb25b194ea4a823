import { type AccountId, ApiError, type BroadcastId, isBroadcastId } from '@kurir/contracts';
import type { Database } from '@kurir/database';
import {
  type BroadcastView,
  type Control,
  type CountedBroadcast,
  findBroadcast,
  readBroadcast,
} from '@kurir/database/broadcasts';
import { type BroadcastCall, nothingToSend, wrongState } from './wrong-state.js';

export const broadcastNotFound = (): ApiError =>
  new ApiError('BROADCAST_NOT_FOUND', 'The account has no broadcast with this id. GET /api/v1/broadcasts lists them.');

export function asBroadcastId(text: string): BroadcastId {
  if (!isBroadcastId(text)) throw broadcastNotFound();
  return text;
}

/** Returns the account's broadcast, or throws 404. The broadcast of another account gets the same 404. */
export async function requireBroadcast(
  database: Database,
  accountId: AccountId,
  id: string,
): Promise<CountedBroadcast> {
  const found = await readBroadcast(database, accountId, asBroadcastId(id));
  if (found === null) throw broadcastNotFound();
  return found;
}

/** The same without counts. */
export async function requireUncounted(database: Database, accountId: AccountId, id: string): Promise<BroadcastView> {
  const found = await findBroadcast(database, accountId, asBroadcastId(id));
  if (found === null) throw broadcastNotFound();
  return found;
}

export const unconfirmed = (): ApiError =>
  new ApiError(
    'INVALID_REQUEST',
    'confirm_any_hour: must be true, because this marketing may reach people at night. Or give the broadcast a window between 08:00 and 21:00.',
  );

/** Throws what keeps the call from being done. */
export function requireDone(call: BroadcastCall, result: Control): void {
  switch (result.kind) {
    case 'done':
      return;
    case 'not-found':
      throw broadcastNotFound();
    case 'wrong-state':
      throw wrongState(call, result.state);
    case 'unconfirmed':
      throw unconfirmed();
    case 'nothing-to-send':
      throw nothingToSend(result.scope);
    case 'text-erased':
      throw new ApiError(
        'BROADCAST_STATE',
        'The text of the broadcast is erased, so nobody can get it again. Create a new broadcast with POST /api/v1/broadcasts.',
      );
    case 'refused':
      throw new ApiError(
        result.code,
        result.code === 'PLAN_EXPIRED'
          ? 'The account has no running subscription period. Renew it with POST /api/v1/account/renew and pay.'
          : `The broadcast needs ${result.needed} messages, and ${result.remaining} are left. Renew with POST /api/v1/account/renew, or shorten the list.`,
      );
  }
}
