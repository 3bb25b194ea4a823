import { ApiError } from '@kurir/contracts';
import { confirmEmailChange } from '@kurir/database';
import { letterMail } from '../../mail/letter.js';
import { changedAddressLetter } from '../../mail/mails.js';
import type { Handler } from '../../operations/operation-request.js';
import { showMe } from '../show-me.js';

/** `budi@toko.example` as `b…@toko.example`. */
const masked = (email: string) => email.replace(/^(.).*(?=@)/u, '$1…');

/** The old address hears of it. The sessions of the person stay. */
export const confirmMyEmail: Handler<'confirmMyEmail'> = async ({ caller, auditAs, body }, api) => {
  const { visitor } = caller;
  const { user } = visitor;
  const email = await confirmEmailChange(api.database, user.id, body.token, auditAs('person.email_changed'));
  if (email === null)
    throw new ApiError(
      'EMAIL_CHANGE_NOT_FOUND',
      'This link was used, has ended or is for another person. Ask for a new one on the page Profile.',
    );
  const signIn = `${api.addresses.publicUrl()}/app/sign-in`;
  await api.mailer
    .send(letterMail(user, changedAddressLetter(masked(email), signIn)))
    .catch((err: unknown) => api.logger.error({ err }, 'mail not sent'));
  return showMe({ ...visitor, user: { ...user, email } }, api);
};
