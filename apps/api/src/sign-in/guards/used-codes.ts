/**
 * Makes a code of an authenticator count once (RFC 6238, section 5.2). better-auth accepts the code of the step before
 * and after too. So the step of the code is taken in the database before better-auth checks the code.
 */
import type { GenericEndpointContext } from '@better-auth/core';
import { createOTP } from '@better-auth/utils/otp';
import { type Database, takeCodeStep } from '@kurir/database';
import { APIError } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';

const stepMs = 30_000;
/** The steps around the present one, as better-auth accepts them. */
const accepted = [0, -1, 1];

/** Returns the person of the running session, or of the sign-in that waits for a code. */
async function personOf(ctx: GenericEndpointContext): Promise<string | null> {
  const present = ctx.context.session?.user.id;
  if (present !== undefined) return present;
  const { name } = ctx.context.createAuthCookie('two_factor');
  const waiting = await ctx.getSignedCookie(name, ctx.context.secret);
  if (typeof waiting !== 'string' || waiting === '') return null;
  return (await ctx.context.internalAdapter.findVerificationValue(waiting))?.value ?? null;
}

async function stepOf(secret: string, code: string): Promise<number | null> {
  const otp = createOTP(secret);
  const present = Math.floor(Date.now() / stepMs);
  for (const offset of accepted) if ((await otp.hotp(present + offset)) === code) return present + offset;
  return null;
}

/** Throws 401 if the code is right but was used before. A wrong code is left to better-auth, which counts it. */
export async function takeCode(database: Database, ctx: GenericEndpointContext, code: string): Promise<void> {
  const userId = await personOf(ctx);
  if (userId === null) return;
  const stored = await ctx.context.adapter.findOne<{ secret: string }>({
    model: 'twoFactor',
    where: [{ field: 'userId', value: userId }],
  });
  if (stored === null) return;
  const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: stored.secret });
  const step = await stepOf(secret, code);
  if (step === null || (await takeCodeStep(database, userId, step))) return;
  throw new APIError('UNAUTHORIZED', {
    code: 'INVALID_CODE',
    message: 'This code was used before. Wait for the next.',
  });
}
