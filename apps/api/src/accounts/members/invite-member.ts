import { ApiError } from '@kurir/contracts';
import { writeInvitation } from '@kurir/database';
import { hashOfAddress, mailsToOne, mayMail } from '../../mail/mail-limit.js';
import type { Mail } from '../../mail/mailer.js';
import { invitationMail } from '../../mail/mails.js';
import { countAttempt } from '../../sign-in/count-attempt.js';
import type { Api } from '../../operations/api.js';
import type { Handler } from '../../operations/operation-request.js';
import { showInvitation } from './show-member.js';

/** The limit of an account. The mails bear our name, and anybody can type in any address. */
const mails = { max: 20, windowSeconds: 3_600 };

/**
 * Sends the mail. If other accounts have sent the person too many, it sends nothing and says nothing: the caller must not
 * learn of the other accounts. The link then reaches the person with the next invitation.
 */
async function send({ attempts, mailer, logger }: Api, mail: Mail): Promise<void> {
  if (!(await mayMail(attempts, 'invitation', mail.recipient)))
    return logger.warn('invitation withheld, the person had too many');
  return mailer.send(mail).catch((cause: unknown) => {
    throw new ApiError('SERVICE_UNAVAILABLE', 'The mail could not be sent. Send the invitation again later.', {
      cause,
    });
  });
}

export const inviteMember: Handler<'inviteMember'> = async ({ caller, auditAs, body }, api) => {
  const { accountId } = caller;
  await countAttempt(api.attempts, `invite:${accountId}`, mails, 'invitations');
  // Before the invitation is written: a new one would make the link of the last mail worthless.
  const toOne = `invite:${accountId}:${hashOfAddress(body.email)}`;
  await countAttempt(api.attempts, toOne, mailsToOne, 'invitations to this address');
  const written = await writeInvitation(api.database, { accountId, ...body }, auditAs('member.invited'));
  if (written === 'already-member')
    throw new ApiError(
      'ALREADY_MEMBER',
      'This address belongs to a member already. Change the role of the member instead.',
    );
  const { token, invitation } = written;
  const url = `${api.addresses.publicUrl()}/app/join/${token}`;
  await send(api, invitationMail(invitation.email, invitation.accountName, url));
  return showInvitation(invitation);
};
