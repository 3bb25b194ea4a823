import { publicOperations, type PublicOperationName } from '@kurir/contracts';
import { listRequests as list, type RequestRow } from '@kurir/database';
import type { Handler } from '../operations/operation-request.js';

/** An operation of another version of the api has no entry. */
const isOperation = (name: string | null): name is PublicOperationName => name !== null && name in publicOperations;

function show(row: RequestRow) {
  const entry = isOperation(row.operation) ? publicOperations[row.operation] : null;
  return {
    request_id: row.id,
    at: row.at.toISOString(),
    api_key: row.keyId,
    key_name: row.keyName,
    operation: row.operation,
    method: entry?.method ?? null,
    path: entry?.path ?? null,
    status: row.status,
    code: row.code,
    duration_ms: row.durationMs,
    address: row.address,
    not_recorded: row.notRecorded,
  };
}

export const listRequests: Handler<'listRequests'> = async ({ caller, query }, { database }) => {
  const { limit, cursor, ...filter } = query;
  const page = await list(database.reports, caller.accountId, { limit, cursor }, filter);
  return { requests: page.requests.map(show), next_cursor: page.nextCursor };
};
