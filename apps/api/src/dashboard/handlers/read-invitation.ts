import { ApiError } from '@kurir/contracts';
import { readInvitation as read } from '@kurir/database';
import type { DashboardHandler } from '../dashboard-request.js';

export const invitationNotFound = () =>
  new ApiError('INVITATION_NOT_FOUND', 'This invitation does not exist or has ended. Ask for a new one.');

export const readInvitation: DashboardHandler<'readInvitation'> = async ({ params }, { database }) => {
  const found = await read(database, params.token);
  if (found === null) throw invitationNotFound();
  const { accountName, email, role, expiresAt } = found;
  return { account_name: accountName, email, role, expires_at: expiresAt.toISOString() };
};
