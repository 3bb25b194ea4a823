import { suppress } from '@kurir/database/suppressions';
import type { Handler } from '../operations/operation-request.js';

export const addSuppressions: Handler<'addSuppressions'> = async ({ caller, auditAs, body }, api) => {
  const { accountId, actor } = caller;
  const done = await suppress(
    api.database,
    api.accountKeys,
    { accountId, actor, ...body },
    auditAs('suppression.added'),
  );
  if (done.added > 0 || done.cancelled > 0) api.signalLivePages();
  return { added: done.added, cancelled: done.cancelled };
};
