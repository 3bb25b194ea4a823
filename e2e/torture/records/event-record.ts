/** The record of events: the log in the database, and what receivers and readers got of it. */
import type { Database } from '@kurir/database';
import type { Delivery } from './delivery-log.js';

export type Logged = { readonly account: number; readonly id: string; readonly kind: string };

export type EventRecord = {
  readonly logged: readonly Logged[];
  /** The ids of events from before the webhooks. Only the feed has them. */
  readonly before: ReadonlySet<string>;
  readonly webhooks: readonly Delivery[];
  readonly feed: readonly Delivery[];
  /** The indexes of the accounts with a webhook, with an ordered one, and with a reader of the feed. */
  readonly webhookAccounts: readonly number[];
  readonly orderedAccounts: readonly number[];
  readonly feedAccounts: readonly number[];
  /** How often each reader of the feed was told that its cursor had expired. */
  readonly expirations: readonly number[];
};

type Row = { subject_id: string; sequence: number; generation: bigint; kind: string };

/** The events of these accounts that programs see. */
export async function readLog({ pool }: Database, accounts: readonly (readonly [number, string])[]): Promise<Logged[]> {
  const logged: Logged[] = [];
  for (const [account, accountId] of accounts) {
    const { rows } = await pool.query<Row>(
      `SELECT subject_id, sequence, generation, kind FROM events WHERE account_id = $1 AND sequence IS NOT NULL`,
      [accountId],
    );
    for (const { subject_id: subject, sequence, generation, kind } of rows)
      logged.push({ account, id: `evt_${subject}_${sequence}_${generation.toString(36)}`, kind });
  }
  return logged;
}
