/**
 * Calls the routes of the gateway's sign-in library: sign-up, sign-in, two-factor, passkeys, sessions and passwords.
 * These routes are not in the route table and answer without the envelope. A refusal has a code and a message.
 */
import type { Language } from '@kurir/contracts/dashboard';
import { ApiFailure } from './api-failure.js';
import { confirmed } from './confirmation.js';

const base = '/app/api/auth';

export class AuthFailure extends Error {
  override readonly name = 'AuthFailure';
  readonly status: number;
  readonly code: string;
  /** How long to wait before another try, for a refusal with status 429. */
  readonly waitMinutes: number;

  constructor(status: number, code: string, sentence: string, retryAfter: string | null) {
    super(sentence);
    this.status = status;
    this.code = code;
    this.waitMinutes = Math.max(1, Math.ceil(Number(retryAfter ?? 60) / 60));
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
    const sentence = textIn(answer, 'error', 'message') ?? '';
    throw new AuthFailure(response.status, code, sentence, response.headers.get('Retry-After'));
  }
  return answer as Answer; // the library documents its answers; each call below names the type
}

/** Asks the person for a confirmation if the gateway wants one, then asks the gateway again. */
const askConfirmed = <Answer>(...given: Parameters<typeof ask>): Promise<Answer> =>
  confirmed(() => ask<Answer>(...given));

/** `needsConfirming`: the session begins only after the person has confirmed the address by mail. */
export async function signUp(person: {
  name: string;
  email: string;
  password: string;
  language: Language;
  /** ISO 3166: the country of the person's new account. */
  country?: string;
  /** The token of an invitation to this address. The person joins its account, and the mail has proved the address. */
  invitation?: string;
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

export const resetPassword = (token: string, newPassword: string, keepPasskeys: boolean) =>
  ask<unknown>('POST', `/reset-password?keepPasskeys=${keepPasskeys}`, { token, newPassword });

export const changePassword = (currentPassword: string, newPassword: string) =>
  askConfirmed<unknown>('POST', '/change-password', { currentPassword, newPassword, revokeOtherSessions: true });

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
export const disableTwoFactor = (password: string) =>
  askConfirmed<unknown>('POST', '/two-factor/disable', { password });
export const makeBackupCodes = (password: string) =>
  askConfirmed<{ backupCodes: string[] }>('POST', '/two-factor/generate-backup-codes', { password });

export type Passkey = { id: string; name?: string | null; createdAt: string };

export const listPasskeys = () => ask<Passkey[]>('GET', '/passkey/list-user-passkeys');
export const deletePasskey = (id: string) => askConfirmed<unknown>('POST', '/passkey/delete-passkey', { id });

// The page loads the code for passkeys only when somebody uses one.
async function signWithPasskey() {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return startAuthentication({ optionsJSON: await ask<Options>('GET', '/passkey/generate-authenticate-options') });
}

export async function signInWithPasskey(): Promise<void> {
  await ask<unknown>('POST', '/passkey/verify-authentication', { response: await signWithPasskey() });
}

/** Resolves with the answer of a passkey, which confirms the running session. */
export async function askPasskey(): Promise<{ id: string; response: Record<string, unknown> }> {
  const { response, ...signed } = await signWithPasskey();
  return { ...signed, response: { ...response } };
}

export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON'];
  const optionsJSON = await askConfirmed<Options>('GET', '/passkey/generate-register-options');
  await askConfirmed<unknown>('POST', '/passkey/verify-registration', {
    response: await startRegistration({ optionsJSON }),
    name,
  });
}
