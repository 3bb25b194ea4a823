/** Asks for a fresh confirmation before a route of better-auth changes how the person signs in. */
import type { GenericEndpointContext } from '@better-auth/core';
import { APIError } from 'better-auth/api';
import { confirmedUntil } from './session-age.js';

/** These take the password too, which is enough without two-factor sign-in. */
const withPassword: ReadonlySet<string | undefined> = new Set([
  '/change-password',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]);

const always: ReadonlySet<string | undefined> = new Set([
  '/passkey/generate-register-options',
  '/passkey/verify-registration',
  '/passkey/delete-passkey',
]);

/** Throws 403 if the running session has no confirmation of the last minutes. */
export function requireConfirmation(ctx: GenericEndpointContext): void {
  const running = ctx.context.session;
  if (running === null) return;
  const isAsked = always.has(ctx.path) || (withPassword.has(ctx.path) && running.user['twoFactorEnabled'] === true);
  const confirmedAt: unknown = running.session['confirmedAt'];
  if (!isAsked || confirmedUntil(confirmedAt instanceof Date ? confirmedAt : null, Date.now()) !== null) return;
  const message = 'Confirm that it is you (POST /app/api/me/confirm), then try again.';
  throw new APIError('FORBIDDEN', { code: 'CONFIRMATION_REQUIRED', message });
}
