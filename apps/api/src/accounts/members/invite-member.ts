import { ApiError } from '@kurir/contracts';
import { writeInvitation } from '@kurir/database';
import { invitationMail } from '../../mail/mails.js';
import { countAttempt } from '../../sign-in/count-attempt.js';
import type { Handler } from '../../operations/operation-request.js';
import { showInvitation } from './show-member.js';

/** The limit of an account. The mails bear our name, and anybody can type in any address. */
const mails = { max: 20, windowSeconds: 3_600 };

export const inviteMember: Handler<'inviteMember'> = async ({ caller, auditAs, body }, api) => {
  const { accountId } = caller;
  await countAttempt(api.attempts, `invite:${accountId}`, mails, 'invitations');
  const written = await writeInvitation(api.database, { accountId, ...body }, auditAs('member.invited'));
  if (written === 'already-member')
    throw new ApiError(
      'ALREADY_MEMBER',
      'This address belongs to a member already. Change the role of the member instead.',
    );
  const { token, invitation } = written;
  const url = `${api.addresses.publicUrl()}/app/join/${token}`;
  await api.mailer.send(invitationMail(invitation.email, invitation.accountName, url)).catch((cause: unknown) => {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The mail could not be sent. Send the invitation again later.', {
      cause,
    });
  });
  return showInvitation(invitation);
};
