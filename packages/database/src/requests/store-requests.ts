/** Stores the requests of keys in batches. A row names the operation, never ids, queries or bodies. */
import type { AccountId, ApiKeyId, ErrorCode } from '@kurir/contracts';
import type { Database } from '../postgres/connect.js';
import { deleteAll } from '../postgres/chores/run-in-batches.js';

export type StoredRequest = {
  readonly id: string;
  readonly at: Date;
  readonly accountId: AccountId;
  readonly keyId: ApiKeyId;
  /** Null: the row only counts. */
  readonly operation: string | null;
  /** Null: the caller went away before the answer. */
  readonly status: number | null;
  readonly code: ErrorCode | null;
  readonly durationMs: number | null;
  readonly address: string | null;
  /** How many requests of the key in the minute before have no row. */
  readonly notRecorded: number;
};

/** Stores what is not stored yet. An account that is being erased gets no rows any more. */
export async function storeRequests({ pool }: Database, requests: readonly StoredRequest[]): Promise<void> {
  const of = <T>(pick: (request: StoredRequest) => T) => requests.map(pick);
  await pool.query({
    name: 'store-requests',
    text: `INSERT INTO api_requests (id, at, account_id, key_id, operation, status, code, duration_ms, address, not_recorded)
           SELECT t.* FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::smallint[],
             $7::text[], $8::int[], $9::text[], $10::int[])
             AS t (id, at, account_id, key_id, operation, status, code, duration_ms, address, not_recorded)
           JOIN accounts a ON a.id = t.account_id AND a.erasure_begun_at IS NULL
           ON CONFLICT DO NOTHING`,
    values: [
      of((r) => r.id),
      of((r) => r.at),
      of((r) => r.accountId),
      of((r) => r.keyId),
      of((r) => r.operation),
      of((r) => r.status),
      of((r) => r.code),
      of((r) => r.durationMs),
      of((r) => r.address),
      of((r) => r.notRecorded),
    ],
  });
}

const deletedAtOnce = 5_000;

/** Deletes all requests of an account. */
export async function deleteRequestsOf({ pool }: Database, accountId: AccountId): Promise<void> {
  await deleteAll(
    pool,
    `DELETE FROM api_requests WHERE account_id = $1
       AND id = ANY (ARRAY(SELECT id FROM api_requests WHERE account_id = $1 ORDER BY id LIMIT ${deletedAtOnce}))`,
    [accountId],
  );
}
