/** Reads the text of one message for its account. */
import { type AccountId, type MessageId, messageCategories, messagePriorities } from '@kurir/contracts';
import type { AccountKeys } from '../../accounts/account-keys.js';
import type { Database } from '../../postgres/connect.js';
import { type ContentRow, contentColumns, joinContent, openOne } from '../message-contents.js';

export type MessageText =
  | { readonly text: string; readonly withheld: null }
  | { readonly text: null; readonly withheld: 'one_time_code' | 'erased' };

/** The text of the account's message, or the reason why it is not shown. Null: the account has no such message. */
export async function readMessageText(
  database: Database,
  accountKeys: AccountKeys,
  accountId: AccountId,
  messageId: MessageId,
): Promise<MessageText | null> {
  const { rows } = await database.pool.query<ContentRow & { priority: number; category: number }>({
    name: 'read-message-text',
    text: `SELECT m.id, m.account_id, m.body, m.priority, m.category, ${contentColumns}
           FROM messages m ${joinContent('m.id')} WHERE m.account_id = $1 AND m.id = $2`,
    values: [accountId, messageId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const isCode = messagePriorities[row.priority] === 'otp' || messageCategories[row.category] === 'authentication';
  if (isCode) return { text: null, withheld: 'one_time_code' };
  const content = await openOne(accountKeys, row);
  return content === null ? { text: null, withheld: 'erased' } : { text: content.text, withheld: null };
}
