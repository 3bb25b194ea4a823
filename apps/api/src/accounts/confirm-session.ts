/**
 * Confirms a running session with a code or a passkey. A person without two-factor sign-in may give the password.
 * The hooks in sign-in/guards count the guess for the person, then better-auth checks it.
 */
import { ApiError, type ErrorCode, limits } from '@kurir/contracts';
import { confirmSession as confirm, endSession } from '@kurir/database';
import { isAPIError } from 'better-auth/api';
import type { Api } from '../operations/api.js';
import type { Handler, OperationRequest } from '../operations/operation-request.js';
import { tooMany } from '../sign-in/count-attempt.js';

type Request = OperationRequest<'confirmSession'>;
type PasskeyInput = NonNullable<Parameters<ReturnType<Api['signIn']>['api']['verifyPasskeyAuthentication']>[0]>;
type SignedByPasskey = PasskeyInput['body']['response'];

const totp = /^[0-9]{6}$/;

/** Runs a check of better-auth. It throws a 4xx for a refusal, and 503 if too many passwords wait for theirs. */
async function check<T>(asked: Promise<T>, code: ErrorCode, sentence: string): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!isAPIError(error)) throw error;
    const retryAfterSeconds = Number(new Headers(error.headers).get('X-Retry-After')) || 60;
    if (error.statusCode === 429) throw tooMany('tries', retryAfterSeconds);
    if (error.statusCode === 503)
      throw new ApiError('SERVICE_UNAVAILABLE', error.message, { cause: error, retryAfterSeconds });
    if (error.statusCode >= 500) throw error;
    throw new ApiError(code, sentence, { cause: error });
  }
}

async function checkCode({ caller: { headers, visitor } }: Request, { signIn }: Api, code: string): Promise<void> {
  if (!visitor.user.twoFactor)
    throw new ApiError(
      'TWO_FACTOR_OFF',
      'Two-factor sign-in is not set up, so no code can confirm this session. Give the password.',
    );
  const { api } = signIn();
  const asked = totp.test(code)
    ? api.verifyTOTP({ headers, body: { code } })
    : api.verifyBackupCode({ headers, body: { code, disableSession: true } });
  await check<unknown>(asked, 'CODE_NOT_ACCEPTED', 'The code is wrong, or it was used before. Enter the newest code.');
}

async function checkPassword({ caller: { headers, visitor } }: Request, { signIn }: Api, password: string) {
  if (visitor.user.twoFactor)
    throw new ApiError('PASSWORD_NOT_ACCEPTED', 'Two-factor sign-in is on. Give a code or use a passkey.');
  const asked = signIn().api.verifyPassword({ headers, body: { password } });
  await check(asked, 'PASSWORD_NOT_ACCEPTED', 'The password is wrong. Try again.');
}

/** better-auth knows a passkey only as a sign-in, so it makes a session. Nobody gets its cookie, and it ends at once. */
async function checkPasskey({ caller: { headers, visitor } }: Request, { signIn, database }: Api, passkey: object) {
  // better-auth checks it as it checks the body of its own route.
  const response = passkey as SignedByPasskey;
  const asked = signIn().api.verifyPasskeyAuthentication({ headers, body: { response } });
  const refusal = 'The passkey was not accepted. Use one of yours, and show your fingerprint, face or PIN.';
  const { session } = await check(asked, 'PASSKEY_NOT_ACCEPTED', refusal);
  await endSession(database, session.id);
  if (session.userId !== visitor.user.id) throw new ApiError('PASSKEY_NOT_ACCEPTED', refusal);
}

export const confirmSession: Handler<'confirmSession'> = async (request, api) => {
  const { caller, auditAs, body } = request;
  if (body.code !== undefined) await checkCode(request, api, body.code);
  if (body.password !== undefined) await checkPassword(request, api, body.password);
  if (body.passkey !== undefined) await checkPasskey(request, api, body.passkey);
  const at = await confirm(api.database, caller.visitor.session.id, auditAs('session.confirmed'));
  return { confirmed_until: new Date(at.getTime() + limits.confirmationMinutes * 60_000).toISOString() };
};
