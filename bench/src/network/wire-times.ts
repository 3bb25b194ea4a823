/** The time of a message from accepted (its `created_at`) to on the wire (its first frame at the network). */
import type { Database } from '@kurir/database';
import { percentile } from '../readings/percentile.js';
import type { Frames } from './frames.js';

export type WireTimes = {
  readonly ms: readonly number[];
  /** How many accepted messages had no frame in time. */
  readonly missing: number;
};

/** The limit on `created_at` matters: millions of older messages may be stored. */
async function readAccepted({ pool }: Database, recipients: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ recipient: string; at: number }>(
    `SELECT recipient, (extract(epoch FROM created_at) * 1000)::float8 AS at FROM messages
     WHERE recipient = ANY ($1) AND created_at > now() - interval '1 hour'`,
    [recipients],
  );
  return new Map(rows.map(({ recipient, at }) => [recipient, at]));
}

type TimeOf = ReadonlyMap<string, number>;

/** Throws if a code was not accepted. */
export function betweenOf(recipients: readonly string[], accepted: TimeOf, onTheWire: TimeOf): WireTimes {
  const from = recipients.flatMap((recipient) => {
    const at = accepted.get(recipient);
    return at === undefined ? [] : [{ recipient, at }];
  });
  if (from.length !== recipients.length)
    throw new Error(`of ${recipients.length} codes ${from.length} are stored as accepted`);
  const ms = from.flatMap(({ recipient, at }) => {
    const until = onTheWire.get(recipient);
    return until === undefined ? [] : [until - at];
  });
  return { ms, missing: recipients.length - ms.length };
}

/** Waits for the frames. Each recipient has one message. */
export async function wireTimes(
  database: Database,
  frames: Frames,
  recipients: readonly string[],
  timeoutMs: number,
): Promise<WireTimes> {
  await frames.reached(recipients, timeoutMs);
  const { toRecipient } = await frames.read();
  return betweenOf(recipients, await readAccepted(database, recipients), toRecipient);
}

export type Spread = { readonly p50: number; readonly p99: number; readonly max: number };

export const spreadOf = (ms: readonly number[]): Spread => ({
  p50: percentile(ms, 50),
  p99: percentile(ms, 99),
  max: percentile(ms, 100),
});
