import { removeMember as remove } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { refuseMemberChange } from './refuse-member-change.js';

export const removeMember: Handler<'removeMember'> = async ({ caller, auditAs, params }, { database }) => {
  const { accountId } = caller;
  const { user_id: userId } = params;
  refuseMemberChange(await remove(database, accountId, userId, auditAs('member.removed')));
  return { user_id: userId };
};
