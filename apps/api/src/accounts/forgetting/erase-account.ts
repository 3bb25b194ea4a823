/**
 * Begins the erasure of the account. From the answer on, nobody can use it; the workers log its devices out and erase
 * the rest. A second request comes from nobody, because the account has no members any more.
 */
import { ApiError } from '@kurir/contracts';
import { beginAccountErasure } from '@kurir/database';
import type { Handler } from '../../operations/operation-request.js';

const otherName = () =>
  new ApiError(
    'INVALID_REQUEST',
    'name: is not the name of this account. Type the name exactly as the page shows it.',
    {
      fault: { field: 'name', rule: 'mismatch' },
    },
  );

export const eraseAccount: Handler<'eraseAccount'> = async ({ caller, body, auditAs }, { database }) => {
  const { accountId, visitor } = caller;
  if (body.name !== visitor.membership.name) throw otherName();
  await beginAccountErasure(database, accountId, auditAs('account.erased'));
  return { account_id: accountId };
};
