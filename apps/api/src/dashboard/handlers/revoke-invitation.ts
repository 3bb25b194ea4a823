import { recordAudit, revokeInvitation as revoke } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';
import { actingFor } from '../visitor.js';
import { invitationNotFound } from './read-invitation.js';

export const revokeInvitation: DashboardHandler<'revokeInvitation'> = async ({ visitor, params }, { database }) => {
  const { accountId, actor } = actingFor(visitor);
  const { invitation_id: id } = params;
  if (!(await revoke(database, accountId, id))) throw invitationNotFound();
  await recordAudit(database, { accountId, actor, action: 'invitation.revoked', subject: id });
  return { invitation_id: id };
};
