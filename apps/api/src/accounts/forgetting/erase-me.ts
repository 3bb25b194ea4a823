/** Erases the person who asks, with all of their sessions. So a second request comes from nobody. */
import { ApiError } from '@kurir/contracts';
import { erasePerson, type Orphan } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';

const otherAddress = () =>
  new ApiError('INVALID_REQUEST', 'email: is not your address. Type the address that you sign in with.', {
    fault: { field: 'email', rule: 'mismatch' },
  });

const lastOwner = (accounts: readonly Orphan[]) =>
  new ApiError(
    'LAST_OWNER',
    `You are the last owner of ${accounts.map(({ name }) => name).join(', ')}. Make another member owner, or erase the account first.`,
  );

export const eraseMe: Handler<'eraseMe'> = async ({ caller, body }, { database }) => {
  const { id, email } = caller.visitor.user;
  if (body.email.trim().toLowerCase() !== email.toLowerCase()) throw otherAddress();
  const erasure = await erasePerson(database, email, { actor: id });
  if (erasure.kind === 'last-owner') throw lastOwner(erasure.accounts);
  return { user_id: id };
};
