import { acceptInvitation as accept, chooseSessionAccount, listMemberships } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { invitationNotFound } from './invitation-not-found.js';
import { showMe } from '../show-me.js';

export const acceptInvitation: Handler<'acceptInvitation'> = async ({ caller, auditAs, params }, api) => {
  const { database } = api;
  const { visitor } = caller;
  const accountId = await accept(database, params.token, visitor.user, auditAs('member.joined'));
  if (accountId === null) throw invitationNotFound();
  await chooseSessionAccount(database, visitor.session.id, accountId);
  const memberships = await listMemberships(database, visitor.user.id);
  const joined = memberships.find((membership) => membership.accountId === accountId);
  return showMe({ ...visitor, memberships }, api, joined ?? visitor.membership);
};
