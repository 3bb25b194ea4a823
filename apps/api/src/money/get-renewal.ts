import { ApiError, isRenewalId } from '@kurir/contracts';
import { readRenewal } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showRenewal } from './show-renewal.js';

export const getRenewal: Handler<'getRenewal'> = async ({ caller, params }, { database }) => {
  const { renewal_id: id } = params;
  const renewal = isRenewalId(id) ? await readRenewal(database, caller.accountId, id) : null;
  if (renewal === null)
    throw new ApiError(
      'RENEWAL_NOT_FOUND',
      'The account has no renewal with this id. Use a renewal_id that POST /api/v1/account/renew returned.',
    );
  return showRenewal(renewal);
};
