/**
 * The contents of messages, in their own table. So a change of status does not copy a text, and a text can be erased
 * while its message stays. A content is sealed under a data key of its account and bound to its message.
 *
 * Messages from an earlier version have their text in `messages.body` and no row here.
 */
import type { KeyObject } from 'node:crypto';
import { type AccountId, type Content, type MessageId, parseContent, textContent } from '@kurir/contracts';
import { open, seal } from '@kurir/signing';
import type { AccountKeys, DataKeyName, SealingKeys } from '../accounts/account-keys.js';

export type SealedContent = { readonly kind: string; readonly keyNumber: number; readonly sealed: Buffer };

export function sealContent(
  { number, dataKey }: SealingKeys,
  messageId: MessageId,
  { kind, ...fields }: Content,
): SealedContent {
  return { kind, keyNumber: number, sealed: seal(dataKey, JSON.stringify(fields), messageId) };
}

/** A message with its stored content. After erasure, the columns of the content are null and `body` is empty. */
export type ContentRow = {
  id: MessageId;
  account_id: AccountId;
  /** The text of a message from an earlier version; otherwise empty. */
  body: string;
  kind: string | null;
  key_number: number | null;
  sealed: Buffer | null;
};

/** SQL: joins the content of `messageId` (an expression) as `content`, with the columns of `ContentRow`. */
export const joinContent = (messageId: string): string =>
  `LEFT JOIN LATERAL (SELECT c.kind, c.key_number, c.sealed FROM message_contents c
     WHERE c.message_id = ${messageId} COLLATE "C") content ON true`;

export const contentColumns = 'content.kind, content.key_number, content.sealed';

type Sealed = { id: MessageId; account_id: AccountId; kind: string; key_number: number; sealed: Buffer };

const isSealed = (row: ContentRow): row is ContentRow & Sealed => row.sealed !== null;

function parseFields(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // A newer version may store another format.
    return null;
  }
}

const keyNameOf = (row: Sealed): DataKeyName => ({ accountId: row.account_id, number: row.key_number });

/** `unreadable`: erased, damaged, or its key is lost. `unknown`: only workers of a newer version can read it. */
export type ReadContent = Content | 'unreadable' | 'unknown';

function openContent(keyOf: (name: DataKeyName) => KeyObject | null, row: ContentRow): ReadContent {
  if (!isSealed(row)) return row.body === '' ? 'unreadable' : textContent(row.body);
  const key = keyOf(keyNameOf(row));
  const fields = key === null ? null : open(key, row.sealed, row.id);
  return fields === null ? 'unreadable' : (parseContent(row.kind, parseFields(fields.toString('utf8'))) ?? 'unknown');
}

/** The contents, by message. */
export async function openContents(
  accountKeys: AccountKeys,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<MessageId, ReadContent>> {
  const keyOf = await accountKeys.opening(rows.filter(isSealed).map(keyNameOf));
  return new Map(rows.map((row) => [row.id, openContent(keyOf, row)]));
}

/** The content of one message. Null if it cannot be read. */
export async function openOne(accountKeys: AccountKeys, row: ContentRow): Promise<Content | null> {
  const content = (await openContents(accountKeys, [row])).get(row.id) ?? 'unreadable';
  return typeof content === 'string' ? null : content;
}
