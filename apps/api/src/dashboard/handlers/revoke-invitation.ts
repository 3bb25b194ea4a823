import { revokeInvitation as revoke } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { invitationNotFound } from './read-invitation.js';

export const revokeInvitation: DashboardHandler<'revokeInvitation'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  const { invitation_id: id } = params;
  if (!(await revoke(database, accountId, id, { accountId, actor, action: 'invitation.revoked' })))
    throw invitationNotFound();
  return { invitation_id: id };
};
