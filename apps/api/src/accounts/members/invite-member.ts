import { ApiError } from '@kurir/contracts';
import { writeInvitation } from '@kurir/database';
import { hashOfAddress, mailsToOne } from '../../mail/mail-limit.js';
import { letterMail } from '../../mail/letter.js';
import { invitationLetter } from '../../mail/mails.js';
import { sendLimited } from '../../mail/send-limited.js';
import { countAttempt } from '../../sign-in/count-attempt.js';
import type { Handler } from '../../operations/operation-request.js';
import { showInvitation } from './show-member.js';

/** The limit of an account. The mails bear our name, and anybody can type in any address. */
const mails = { max: 20, windowSeconds: 3_600 };

/** If other accounts have sent the person too many, the link reaches the person with the next invitation. */
export const inviteMember: Handler<'inviteMember'> = async ({ caller, auditAs, body }, api) => {
  const { accountId } = caller;
  await countAttempt(api.attempts, `invite:${accountId}`, mails, 'invitations');
  // Before the invitation is written: a new one would make the link of the last mail worthless.
  const toOne = `invite:${accountId}:${hashOfAddress(body.email)}`;
  await countAttempt(api.attempts, toOne, mailsToOne, 'invitations to this address');
  const inviter = caller.visitor.user;
  const wanted = { accountId, invitedBy: inviter.id, ...body };
  const written = await writeInvitation(api.database, wanted, auditAs('member.invited'));
  if (written === 'already-member')
    throw new ApiError(
      'ALREADY_MEMBER',
      'This address belongs to a member already. Change the role of the member instead.',
    );
  const { token, invitation, language } = written;
  const letter = invitationLetter({ ...invitation, inviter }, `${api.addresses.publicUrl()}/app/join/${token}`);
  const mail = letterMail({ email: invitation.email, language: language ?? inviter.language }, letter);
  await sendLimited(api, 'invitation', mail, 'Send the invitation again later.');
  return showInvitation(invitation);
};
