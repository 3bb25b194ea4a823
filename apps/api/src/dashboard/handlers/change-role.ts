import { ApiError } from '@kurir/contracts';
import { changeMemberRole, listMembers, type MemberChange } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { showMember } from './show-member.js';

const memberNotFound = () => new ApiError('MEMBER_NOT_FOUND', 'The account has no such member.');

export function refuseMemberChange(change: MemberChange): void {
  if (change === 'not-found') throw memberNotFound();
  if (change === 'last-owner')
    throw new ApiError('LAST_OWNER', 'This is the account’s only owner. Make another member an owner first.');
}

export const changeRole: DashboardHandler<'changeRole'> = async ({ visitor, params, body }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  const { user_id: userId } = params;
  refuseMemberChange(
    await changeMemberRole(database, accountId, userId, body.role, {
      accountId,
      actor,
      action: `member.made_${body.role}`,
    }),
  );
  const [member] = await listMembers(database, accountId, userId);
  if (member === undefined) throw memberNotFound();
  return showMember(member);
};
