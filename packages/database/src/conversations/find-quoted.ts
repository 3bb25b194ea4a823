/** Finds the message that a message of ours answers. */
import {
  type AccountId,
  type DeviceId,
  type InboundId,
  isInboundId,
  isMessageId,
  type MessageId,
  priorityRanks,
  type ReplyTo,
  textOf,
} from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import { type ContentRow, contentColumns, joinContent, openOne } from '../messages/message-contents.js';
import type { Database } from '../postgres/connect.js';
import { type InboundRow, inboundColumns, withWords } from './inbound-facts.js';
import { shownNetworkId } from './show-inbound.js';

/** The place of the answer. A network shows an answer only in the chat of the message. */
export type AnswerPlace = {
  readonly accountId: AccountId;
  readonly deviceId: DeviceId;
  readonly recipient: string;
};

/** Networks show the beginning of a quoted text. */
const shownLength = 1_000;

const shortText = (text: string | null): string | null => text?.slice(0, shownLength) ?? null;

async function findInbound(
  { pool }: Database,
  keys: AccountKeys,
  { accountId, deviceId, recipient }: AnswerPlace,
  id: InboundId,
): Promise<ReplyTo | null> {
  const { rows } = await pool.query<InboundRow>({
    name: 'find-quoted-inbound',
    text: `SELECT ${inboundColumns} FROM inbound_messages i JOIN conversations c ON c.id = i.conversation_id
           JOIN conversations r ON r.id = coalesce(c.alias_of, c.id)
           WHERE i.id = $1 AND i.account_id = $2 AND i.device_id = $3 AND r.recipient = $4
             AND i.kind IN ('received', 'undecryptable', 'sent_elsewhere')`,
    values: [id, accountId, deviceId, recipient],
  });
  const [facts] = await withWords(keys, rows);
  const networkMessageId = facts === undefined ? null : shownNetworkId(facts.networkMessageId);
  if (facts === undefined || networkMessageId === null) return null;
  const content = facts.words?.content ?? null;
  return {
    networkMessageId,
    writtenByUs: facts.kind === 'sent_elsewhere',
    text: content === null ? null : shortText(textOf(content)),
  };
}

/** The recipient of an older message is the network's id of a person whose number became known later. */
async function findOwn(
  { pool }: Database,
  keys: AccountKeys,
  { accountId, deviceId, recipient }: AnswerPlace,
  id: MessageId,
): Promise<ReplyTo | null> {
  const { rows } = await pool.query<ContentRow & { networkMessageId: string; priority: number }>({
    name: 'find-quoted-own',
    text: `SELECT m.id, m.account_id, m.body, m.priority, m.network_message_id AS "networkMessageId", ${contentColumns}
           FROM messages m ${joinContent('m.id')}
           WHERE m.id = $1 AND m.account_id = $2 AND m.device_id = $3 AND m.attempts > 0
             AND (m.recipient = $4 OR EXISTS (
               SELECT FROM conversation_messages p JOIN conversations c ON c.id = p.conversation_id
               JOIN conversations r ON r.id = coalesce(c.alias_of, c.id)
               WHERE p.message_id = m.id AND r.device_id = $3 AND r.recipient = $4))`,
    values: [id, accountId, deviceId, recipient],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const content = row.priority === priorityRanks.otp ? null : await openOne(keys, row);
  return { networkMessageId: row.networkMessageId, writtenByUs: true, text: shortText(content?.text ?? null) };
}

/** Null: `id` names no message of this chat. */
export function findQuoted(
  database: Database,
  keys: AccountKeys,
  place: AnswerPlace,
  id: string,
): Promise<ReplyTo | null> {
  if (isInboundId(id)) return findInbound(database, keys, place, id);
  return isMessageId(id) ? findOwn(database, keys, place, id) : Promise.resolve(null);
}
