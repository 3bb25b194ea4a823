import { removeMember as remove } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { refuseMemberChange } from './change-role.js';

export const removeMember: DashboardHandler<'removeMember'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  const { user_id: userId } = params;
  refuseMemberChange(await remove(database, accountId, userId, { accountId, actor, action: 'member.removed' }));
  return { user_id: userId };
};
