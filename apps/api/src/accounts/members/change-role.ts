import { changeMemberRole, listMembers } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { memberNotFound, refuseMemberChange } from './refuse-member-change.js';
import { showMember } from './show-member.js';

export const changeRole: Handler<'changeRole'> = async ({ caller, auditAs, params, body }, { database }) => {
  const { accountId } = caller;
  const { user_id: userId } = params;
  refuseMemberChange(
    await changeMemberRole(database, accountId, userId, body.role, auditAs(`member.made_${body.role}`)),
  );
  const [member] = await listMembers(database, accountId, userId);
  if (member === undefined) throw memberNotFound();
  return showMember(member);
};
