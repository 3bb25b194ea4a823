import { ApiError } from '@kurir/contracts';
import { removeMember } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { acceptMemberChange } from '../members/accept-member-change.js';

/** Keys whose secret the person saw go on working, until an owner revokes or rotates them. */
export const leaveAccount: Handler<'leaveAccount'> = async ({ caller, auditAs, body }, { database }) => {
  const { accountId, visitor } = caller;
  if (body.account_id !== accountId)
    throw new ApiError('ACCOUNT_NOT_FOUND', 'The pages show another account. Reload the page, then try again.');
  acceptMemberChange(await removeMember(database, accountId, visitor.user.id, auditAs('member.left')));
  return { account_id: accountId };
};
