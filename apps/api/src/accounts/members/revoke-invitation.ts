import { revokeInvitation as revoke } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { invitationNotFound } from './invitation-not-found.js';

export const revokeInvitation: Handler<'revokeInvitation'> = async ({ caller, auditAs, params }, { database }) => {
  const { accountId } = caller;
  const { invitation_id: id } = params;
  if (!(await revoke(database, accountId, id, auditAs('invitation.revoked')))) throw invitationNotFound();
  return { invitation_id: id };
};
