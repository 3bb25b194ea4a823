import { listAccountLedger as readPage } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

export const listLedger: Handler<'listLedger'> = async ({ caller, query }, { database }) => {
  const page = await readPage(database, caller.accountId, query);
  const entries = page.rows.map((row) => ({
    entry_id: row.id,
    renewal_id: row.renewalId,
    kind: row.kind,
    amount: row.amountRupiah,
    provider: row.provider,
    provider_payment: row.providerPayment,
    created_at: row.createdAt.toISOString(),
  }));
  return { entries, next_cursor: page.nextCursor };
};
