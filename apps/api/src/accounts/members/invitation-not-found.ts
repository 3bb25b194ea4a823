import { ApiError } from '@kurir/contracts';

export const invitationNotFound = () =>
  new ApiError('INVITATION_NOT_FOUND', 'This invitation does not exist or has ended. Ask for a new one.');
