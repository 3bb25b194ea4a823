/** Reads messages by the id that their network knows. */
import type { Content, DeviceId, ReplyTo } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { type ContentRow, contentColumns, joinContent, openOne } from './message-contents.js';
import { knownAs } from './network-message-id.js';
import { erasedRecipient } from './new-message.js';

export type SentMessage = { readonly recipient: string; readonly content: Content; readonly replyTo?: ReplyTo };

/** The message for a receiver that asks for it again. Null if the id is unknown or the content is erased. */
export async function readSentMessage(
  database: Database,
  accountKeys: AccountKeys,
  deviceId: DeviceId,
  networkMessageId: string,
): Promise<SentMessage | null> {
  const { rows } = await database.pool.query<ContentRow & { recipient: string }>({
    name: 'read-sent-message',
    text: `SELECT m.id, m.account_id, m.recipient, m.body, ${contentColumns}
           FROM (${knownAs('$2', { columns: 'm.*', deviceId: '$1' })}) m ${joinContent('m.id')}`,
    values: [deviceId, networkMessageId],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const content = await openOne(accountKeys, row);
  if (content === null) return null;
  const { replyTo } = content;
  return { recipient: row.recipient, content, ...(replyTo === undefined ? {} : { replyTo }) };
}

/** The recipient of the message. Null if the id is unknown or the recipient is erased. */
export async function readSentRecipient(
  database: Database,
  deviceId: DeviceId,
  networkMessageId: string,
): Promise<string | null> {
  const { rows } = await database.pool.query<{ recipient: string }>({
    name: 'read-sent-recipient',
    text: knownAs('$2', { columns: 'm.recipient', deviceId: '$1' }),
    values: [deviceId, networkMessageId],
  });
  const recipient = rows[0]?.recipient ?? null;
  return recipient === erasedRecipient ? null : recipient;
}
