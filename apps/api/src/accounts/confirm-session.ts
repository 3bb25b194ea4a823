/** Confirms a running session with a second factor. Wrong and right codes count per person, over all their sessions. */
import { ApiError, limits } from '@kurir/contracts';
import { confirmSession as confirm } from '@kurir/database';
import type { Api } from '../operations/api.js';
import { countCodeGuess } from '../sign-in/passwords/code-guesses.js';
import { tooMany } from '../sign-in/count-attempt.js';
import type { Handler } from '../operations/operation-request.js';

const totp = /^[0-9]{6}$/;

async function isRight({ signIn }: Api, headers: Headers, code: string): Promise<boolean> {
  const { api } = signIn();
  try {
    if (totp.test(code)) await api.verifyTOTP({ headers, body: { code } });
    else await api.verifyBackupCode({ headers, body: { code, disableSession: true } });
    return true;
  } catch (error) {
    // better-auth throws a 4xx for a wrong code. Any other error is our own fault.
    const status = error instanceof Error && 'statusCode' in error ? error.statusCode : 500;
    if (typeof status === 'number' && status >= 400 && status < 500) return false;
    throw error;
  }
}

export const confirmSession: Handler<'confirmSession'> = async ({ caller, auditAs, body }, api) => {
  const { visitor, headers } = caller;
  if (!visitor.user.twoFactor)
    throw new ApiError(
      'TWO_FACTOR_OFF',
      'Two-factor sign-in is not set up, so no code can confirm this session. Set it up first.',
    );
  const retryAfterSeconds = await countCodeGuess(api.attempts, visitor.user.id);
  if (retryAfterSeconds > 0) throw tooMany('codes', retryAfterSeconds);
  if (!(await isRight(api, headers, body.code)))
    throw new ApiError('CODE_NOT_ACCEPTED', 'The code is wrong, or it was used before. Enter the newest code.');
  const at = await confirm(api.database, visitor.session.id, auditAs('session.confirmed'));
  return { confirmed_until: new Date(at.getTime() + limits.confirmationMinutes * 60_000).toISOString() };
};
