/** Tells the old address while the person can still stop the change, and asks the new one for a confirmation. */
import { ApiError } from '@kurir/contracts';
import { requestEmailChange } from '@kurir/database';
import { letterMail } from '../../mail/letter.js';
import { knownAddressLetter, newAddressLetter } from '../../mail/mails.js';
import { securityLetter } from '../../mail/security-mails.js';
import { sendLimited } from '../../mail/send-limited.js';
import type { Handler } from '../../operations/operation-request.js';
import { countAttempt } from '../../sign-in/count-attempt.js';
import { guessNetworkOf } from '../../sign-in/guards/caller-network.js';

const changes = { max: 5, windowSeconds: 3_600 };

const sameAddress = () =>
  new ApiError('INVALID_REQUEST', 'email: is your address already. Type another one.', {
    fault: { field: 'email', rule: 'other' },
  });

/** The answer is the same if somebody else has the address. Only that person hears of it. */
export const changeMyEmail: Handler<'changeMyEmail'> = async ({ caller, auditAs, body }, api) => {
  const { user } = caller.visitor;
  const email = body.email.toLowerCase();
  if (email === user.email.toLowerCase()) throw sameAddress();
  await countAttempt(api.attempts, `email-change:${user.id}`, changes, 'changes of the address');
  const audit = auditAs('person.email_change_requested');
  const { token, expiresAt } = await requestEmailChange(api.database, user.id, email, audit);
  const pages = `${api.addresses.publicUrl()}/app`;
  const occasion = { at: new Date(), network: guessNetworkOf(caller.headers) };
  await api.mailer
    .send(letterMail(user, securityLetter('email.change_requested', occasion, `${pages}/forgot`)))
    .catch((err: unknown) => api.logger.error({ err }, 'mail not sent'));
  const letter =
    token === null ? knownAddressLetter(`${pages}/sign-in`) : newAddressLetter(`${pages}/confirm-email?token=${token}`);
  const kind = token === null ? 'known address' : 'new address';
  await sendLimited(api, kind, letterMail({ email, language: user.language }, letter), 'Try again later.');
  return { email, expires_at: expiresAt.toISOString() };
};
