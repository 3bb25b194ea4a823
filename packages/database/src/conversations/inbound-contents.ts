/**
 * The words that people wrote, sealed under a data key of the account and bound to its row: content, names, quoted text. Only
 * `type` stands beside it.
 */
import type { AccountId, InboundContent, InboundId, InboundReport } from '@kurir/contracts';
import { open, seal } from '@kurir/signing';
import type { AccountKeys, DataKeyName, SealingKeys } from '../accounts/account-keys.js';
import { shortened } from './clean-report.js';

export type InboundWords = {
  readonly name: string | null;
  readonly username: string | null;
  readonly content: InboundContent | null;
  readonly replyText: string | null;
  readonly emoji: string | null;
};

const wordsOf = (report: InboundReport): InboundWords => ({
  name: report.person?.name ?? null,
  username: report.person?.username ?? null,
  content: 'content' in report ? report.content : null,
  replyText: 'replyTo' in report ? (report.replyTo?.text ?? null) : null,
  emoji: 'emoji' in report ? report.emoji : null,
});

export const sealWords = ({ dataKey }: SealingKeys, id: InboundId, report: InboundReport): Buffer =>
  seal(dataKey, JSON.stringify(wordsOf(report), shortened), id);

export type SealedRow = {
  readonly id: InboundId;
  readonly account_id: AccountId;
  readonly key_number: number | null;
  readonly sealed: Buffer | null;
};

type Sealed = SealedRow & { readonly key_number: number; readonly sealed: Buffer };

const isSealed = (row: SealedRow): row is Sealed => row.sealed !== null && row.key_number !== null;
const keyNameOf = ({ account_id: accountId, key_number: number }: Sealed): DataKeyName => ({ accountId, number });

/** The words by row. A row whose words are erased, or whose key is lost, has none. */
export async function openWords(
  accountKeys: AccountKeys,
  rows: readonly SealedRow[],
): Promise<ReadonlyMap<InboundId, InboundWords>> {
  const sealed = rows.filter(isSealed);
  const keyOf = await accountKeys.opening(sealed.map(keyNameOf));
  const words = new Map<InboundId, InboundWords>();
  for (const row of sealed) {
    const key = keyOf(keyNameOf(row));
    const json = key === null ? null : open(key, row.sealed, row.id);
    // This module wrote the JSON, and the seal says that nobody has changed it.
    if (json !== null) words.set(row.id, JSON.parse(json.toString('utf8')) as InboundWords);
  }
  return words;
}
