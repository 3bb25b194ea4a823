import { acceptInvitation as accept, chooseSessionAccount, listMemberships } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { invitationNotFound } from './read-invitation.js';
import { showMe } from './show-me.js';

export const acceptInvitation: DashboardHandler<'acceptInvitation'> = async ({ visitor, params }, api) => {
  const { database } = api;
  const { user, session } = visitor;
  const accountId = await accept(database, params.token, user, { actor: user.id, action: 'member.joined' });
  if (accountId === null) throw invitationNotFound();
  await chooseSessionAccount(database, session.id, accountId);
  const memberships = await listMemberships(database, user.id);
  const joined = memberships.find((membership) => membership.accountId === accountId);
  return showMe({ ...visitor, memberships }, api, joined ?? visitor.membership);
};
