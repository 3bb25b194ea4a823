import { readInvitation as read } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';
import { invitationNotFound } from './invitation-not-found.js';

export const readInvitation: Handler<'readInvitation'> = async ({ params }, { database }) => {
  const found = await read(database, params.token);
  if (found === null) throw invitationNotFound();
  const { accountName, email, role, invitedBy, registered, expiresAt } = found;
  return {
    account_name: accountName,
    email,
    role,
    invited_by: invitedBy,
    registered,
    expires_at: expiresAt.toISOString(),
  };
};
