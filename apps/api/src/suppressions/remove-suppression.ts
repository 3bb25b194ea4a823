import { liftSuppression } from '@kurir/database/suppressions';
import type { Handler } from '../operations/operation-request.js';
import { requirePerson } from './suppressed-person.js';

export const removeSuppression: Handler<'removeSuppression'> = async ({ caller, auditAs, params, query }, api) => {
  const wish = { accountId: caller.accountId, phone: requirePerson(params.phone, caller.country), scope: query.scope };
  const removed = await liftSuppression(api.database, api.accountKeys, wish, auditAs('suppression.removed'));
  return { removed };
};
