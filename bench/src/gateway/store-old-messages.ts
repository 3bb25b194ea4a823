/** Stores finished messages of the last month, so that the database looks like that of an installation in use. */
import type { MeasuredGateway } from './measured-gateway.js';
import { settleRows } from './running-postgres.js';

/** Inserting this many rows takes much less than the limit of a statement. */
const rowsAtOnce = 20_000;

/**
 * Brings the number of old messages from `stored` to `total`. The first message is a month old, and message number
 * `most` would be of today. Each message gets its last event and a request key.
 */
export async function storeOldMessages(
  gateway: MeasuredGateway,
  stored: number,
  total: number,
  most: number,
): Promise<void> {
  const { database, account, deviceIds } = gateway;
  for (let from = stored; from < total; from += rowsAtOnce)
    await database.pool.query({
      text: `WITH made AS (
               INSERT INTO messages (id, account_id, device_id, key_id, request_id, priority, recipient, body, network_message_id,
                                     status, attempts, created_at, event_count)
               SELECT 'msg_0' || lpad(n::text, 25, '0'), $1, ($2::text[])[1 + n % $3], $4, 'req_' || n, n % 3,
                      '62811' || lpad((n % 10000000)::text, 8, '0'), repeat('x', 90), '3EB0' || upper(left(md5(n::text), 18)), 'read', 1,
                      now() - interval '30 days' * (1 - n / $7::float8), 1
               FROM generate_series($5::int, $6::int) n RETURNING id, account_id, device_id, created_at),
             known AS (
               INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, at)
               SELECT account_id, (SELECT event_generation()), device_id, id, 1, 'message.read', created_at FROM made)
             INSERT INTO request_keys (scope, value, message_id, device_id, created_at)
             SELECT $4, decode(lpad(to_hex(extract(epoch FROM created_at)::bigint), 8, '0') || md5(id) || md5(id || 'x') || '0000', 'hex'),
                    id, device_id, created_at FROM made`,
      values: [
        account.accountId,
        deviceIds,
        deviceIds.length,
        account.apiKey,
        from,
        Math.min(from + rowsAtOnce, total) - 1,
        most,
      ],
    });
  await settleRows(database, ['messages', 'events', 'request_keys']);
}
