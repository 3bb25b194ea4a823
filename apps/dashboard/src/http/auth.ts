/**
 * Calls the routes of the gateway's sign-in library: sign-up, sign-in, two-factor, passkeys, sessions and passwords.
 * These routes are not in the route table and answer without the envelope. A refusal has a code and a message.
 */
import { ApiFailure } from './api-failure.js';

const base = '/app/api/auth';

export class AuthFailure extends Error {
  override readonly name = 'AuthFailure';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, sentence: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

const textIn = (value: unknown, ...names: string[]): string | null => {
  if (typeof value !== 'object' || value === null) return null;
  const found = names
    .map((name) => Object.entries(value).find(([key]) => key === name)?.[1])
    .find((text) => typeof text === 'string');
  return found ?? null;
};

async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const init =
    method === 'GET'
      ? { method }
      : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body ?? {}) };
  const response = await fetch(`${base}${path}`, init).catch((cause: unknown) => {
    throw new ApiFailure('OFFLINE', 'The gateway did not answer. Check the connection, then try again.', null, {
      cause,
    });
  });
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const code = textIn(answer, 'code') ?? String(response.status);
    throw new AuthFailure(response.status, code, textIn(answer, 'error', 'message') ?? '');
  }
  return answer as Answer; // the library documents its answers; each call below names the type
}

/** `needsConfirming`: the session begins only after the person has confirmed the address by mail. */
export async function signUp(person: {
  name: string;
  email: string;
  password: string;
}): Promise<{ needsConfirming: boolean }> {
  const answer = await ask<{ token: string | null }>('POST', '/sign-up/email', { ...person, callbackURL: '/app' });
  return { needsConfirming: answer.token === null };
}

/** `needsCode`: the session begins only after a two-factor code. */
export async function signIn(credentials: { email: string; password: string }): Promise<{ needsCode: boolean }> {
  const answer = await ask<{ twoFactorRedirect?: boolean }>('POST', '/sign-in/email', credentials);
  return { needsCode: answer.twoFactorRedirect === true };
}

export const signOut = () => ask<unknown>('POST', '/sign-out');

/** An authenticator shows six digits; any other code is a backup code. */
export const verifyCode = (code: string) =>
  /^\d{6}$/.test(code)
    ? ask<unknown>('POST', '/two-factor/verify-totp', { code })
    : ask<unknown>('POST', '/two-factor/verify-backup-code', { code });

export const requestPasswordReset = (email: string) =>
  ask<unknown>('POST', '/request-password-reset', { email, redirectTo: '/app/reset-password' });

export const resetPassword = (token: string, newPassword: string) =>
  ask<unknown>('POST', '/reset-password', { token, newPassword });

export const changePassword = (currentPassword: string, newPassword: string) =>
  ask<unknown>('POST', '/change-password', { currentPassword, newPassword, revokeOtherSessions: true });

export type Session = {
  id: string;
  token: string;
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  ipAddress?: string | null;
  userAgent?: string | null;
};

export const listSessions = () => ask<Session[]>('GET', '/list-sessions');
export const currentSession = () => ask<{ session: Session } | null>('GET', '/get-session');
export const revokeSession = (token: string) => ask<unknown>('POST', '/revoke-session', { token });
export const revokeOtherSessions = () => ask<unknown>('POST', '/revoke-other-sessions');

export const enableTwoFactor = (password: string) =>
  ask<{ totpURI: string; backupCodes: string[] }>('POST', '/two-factor/enable', { password });
export const disableTwoFactor = (password: string) => ask<unknown>('POST', '/two-factor/disable', { password });
export const makeBackupCodes = (password: string) =>
  ask<{ backupCodes: string[] }>('POST', '/two-factor/generate-backup-codes', { password });

export type Passkey = { id: string; name?: string | null; createdAt: string };

export const listPasskeys = () => ask<Passkey[]>('GET', '/passkey/list-user-passkeys');
export const deletePasskey = (id: string) => ask<unknown>('POST', '/passkey/delete-passkey', { id });

// The page loads the code for passkeys only when somebody uses one.
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = await ask<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    'GET',
    '/passkey/generate-authenticate-options',
  );
  await ask<unknown>('POST', '/passkey/verify-authentication', {
    response: await startAuthentication({ optionsJSON }),
  });
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = await ask<Parameters<typeof startRegistration>[0]['optionsJSON']>(
    'GET',
    '/passkey/generate-register-options',
  );
  await ask<unknown>('POST', '/passkey/verify-registration', {
    response: await startRegistration({ optionsJSON }),
    name,
  });
}
