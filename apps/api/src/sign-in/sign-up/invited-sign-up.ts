/**
 * A person may sign up with the token of an invitation to the address. The token came by mail, so it proves the address, as
 * the link of a confirmation does. The person joins the account of the invitation at once and needs no account of their own.
 */
import type { GenericEndpointContext } from '@better-auth/core';
import type { UserId } from '@kurir/contracts';
import { acceptInvitation, type Database, readInvitation } from '@kurir/database';
import { APIError } from 'better-auth/api';
import { textOf } from './body-text.js';

type SignUp = Pick<GenericEndpointContext, 'path' | 'body'>;

/** Returns the token of the invitation with which somebody signs up, or null. */
export function invitationOf(context: SignUp | null): string | null {
  const token = context?.path === '/sign-up/email' ? textOf(context.body, 'invitation') : '';
  return token === '' ? null : token;
}

/** Throws 404 if the invitation has ended or is for another address. */
export async function requireOpenInvitation(database: Database, context: SignUp): Promise<void> {
  const token = invitationOf(context);
  if (token === null) return;
  const found = await readInvitation(database, token);
  if (found !== null && found.email === textOf(context.body, 'email').toLowerCase()) return;
  const message = 'This invitation has ended or is for another address. Ask for a new one.';
  throw new APIError('NOT_FOUND', { code: 'INVITATION_NOT_FOUND', message });
}

/** Lets the new person join. Returns false without an invitation, and if `user` is nobody: the address was registered before. */
export async function joinInvited(
  database: Database,
  context: SignUp,
  user: { readonly id: string; readonly email: string; readonly address: string | null },
): Promise<boolean> {
  const token = invitationOf(context);
  if (token === null) return false;
  // Only newId('usr') makes the ids of people.
  const id = user.id as UserId;
  const audit = { actor: id, action: 'member.joined', address: user.address } as const;
  return (await acceptInvitation(database, token, { id, email: user.email }, audit)) !== null;
}
