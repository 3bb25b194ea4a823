import { ApiError } from '@kurir/contracts';
import { chooseSessionAccount } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';
import { showMe } from './show-me.js';

export const switchAccount: Handler<'switchAccount'> = async ({ caller, body }, api) => {
  const { visitor } = caller;
  const chosen = visitor.memberships.find(({ accountId }) => accountId === body.account_id);
  if (chosen === undefined)
    throw new ApiError(
      'ACCOUNT_NOT_FOUND',
      'You are not a member of an account with this id. Choose one of your accounts.',
    );
  await chooseSessionAccount(api.database, visitor.session.id, chosen.accountId);
  return showMe(visitor, api, chosen);
};
