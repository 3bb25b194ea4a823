import type { GenericEndpointContext } from '@better-auth/core';
import { APIError } from 'better-auth/api';
import { isEasyToGuess } from '../passwords/password-strength.js';
import { textOf } from '../sign-up/body-text.js';

/** Returns what an attacker knows of the person who chooses the password. Null: better-auth refuses the request. */
async function knownOf(ctx: GenericEndpointContext): Promise<readonly string[] | null> {
  if (ctx.path === '/sign-up/email') return [textOf(ctx.body, 'email'), textOf(ctx.body, 'name')];
  if (ctx.path === '/change-password') {
    const user = ctx.context.session?.user;
    return user === undefined ? null : [user.email, user.name];
  }
  const reset = await ctx.context.internalAdapter.findVerificationValue(`reset-password:${textOf(ctx.body, 'token')}`);
  const user = reset === null ? null : await ctx.context.internalAdapter.findUserById(reset.value);
  return user === null ? null : [user.email, user.name];
}

const fields: Readonly<Record<string, string>> = {
  '/sign-up/email': 'password',
  '/change-password': 'newPassword',
  '/reset-password': 'newPassword',
};

/** Throws 400 if the route takes a new password and this one is easy to guess. */
export async function requireStrongPassword(ctx: GenericEndpointContext): Promise<void> {
  const field = fields[ctx.path ?? ''];
  if (field === undefined) return;
  const password = textOf(ctx.body, field);
  const known = await knownOf(ctx);
  if (password === '' || known === null || !isEasyToGuess(password, known)) return;
  const message = 'This password is easy to guess. Choose a sentence, or several words that do not belong together.';
  throw new APIError('BAD_REQUEST', { code: 'PASSWORD_TOO_COMMON', message });
}
