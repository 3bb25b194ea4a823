import type { DataOf } from '@kurir/contracts';
import { listSuppressions as list, type SuppressionView } from '@kurir/database/suppressions';
import type { Handler } from '../operations/operation-request.js';

function show(suppression: SuppressionView): DataOf<'listSuppressions'>['suppressions'][number] {
  const { recipient } = suppression;
  const isNumber = recipient === null || /^[0-9]+$/.test(recipient);
  return {
    phone: isNumber ? recipient : null,
    user_id: isNumber ? null : recipient,
    scope: suppression.scope,
    reason: suppression.reason,
    message_id: suppression.sourceId,
    added_by: suppression.actor,
    created_at: suppression.createdAt.toISOString(),
  };
}

export const listSuppressions: Handler<'listSuppressions'> = async ({ caller, query }, { database, accountKeys }) => {
  const { suppressions, nextCursor } = await list(database, accountKeys, caller.accountId, query);
  return { suppressions: suppressions.map(show), next_cursor: nextCursor };
};
