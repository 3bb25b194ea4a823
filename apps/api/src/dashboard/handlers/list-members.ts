import { listInvitations, listMembers as readMembers } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { showInvitation, showMember } from './show-member.js';

export const listMembers: DashboardHandler<'listMembers'> = async ({ visitor }, { database }) => {
  const { accountId } = visitor.membership;
  const [members, invitations] = await Promise.all([
    readMembers(database, accountId),
    listInvitations(database, accountId),
  ]);
  return { members: members.map(showMember), invitations: invitations.map(showInvitation) };
};
