import { messageCategories } from '@kurir/contracts';
import type pg from 'pg';
import type { FingerprintKeys } from '../../accounts/account-keys.js';
import { readSuppressed, recipientKeyOf } from '../../recipients/suppressed.js';
import type { LockedBroadcast } from './broadcast-state.js';

/** Those of the recipients who get no messages of the broadcast's category. */
export async function readRefused(
  client: pg.PoolClient,
  broadcast: Pick<LockedBroadcast, 'accountId' | 'category'>,
  { fingerprintKey }: FingerprintKeys,
  recipients: readonly string[],
): Promise<ReadonlySet<string>> {
  const { accountId } = broadcast;
  const asked = recipients.map((recipient) => ({
    recipient,
    accountId,
    recipientKey: recipientKeyOf(fingerprintKey, recipient),
  }));
  const isSuppressed = await readSuppressed(client, asked);
  const category = messageCategories[broadcast.category] ?? 'marketing';
  return new Set(asked.filter((each) => isSuppressed(each, category)).map(({ recipient }) => recipient));
}
