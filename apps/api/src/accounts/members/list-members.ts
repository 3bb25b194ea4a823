import { listInvitations, listMembers as readMembers } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { showInvitation, showMember } from './show-member.js';

export const listMembers: Handler<'listMembers'> = async ({ caller }, { database }) => {
  const { accountId } = caller;
  const [members, invitations] = await Promise.all([
    readMembers(database, accountId),
    listInvitations(database, accountId),
  ]);
  return { members: members.map(showMember), invitations: invitations.map(showInvitation) };
};
