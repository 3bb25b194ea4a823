/** The newest message of each conversation of a page, in two statements. */
import type { ConversationId } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { type InboundRow, inboundColumns, withWords } from './inbound-facts.js';
import { joinOwn, ownColumns, ownEntries, ownIds, type OwnRow } from './own-messages.js';
import { type ConversationEntry, timeOf } from './read-conversation-messages.js';

type Of = { readonly conversationId: ConversationId };

/** The ids of a broadcast's messages begin early, so the newest message is one of these. */
const newest = ownIds({ conversation: 'w.id', before: '$2', limit: '5' });

async function lastOwn({ pool }: Database, keys: AccountKeys, ids: readonly ConversationId[]) {
  const { rows } = await pool.query<OwnRow & Of>({
    name: 'read-last-own',
    text: `SELECT last."conversationId", ${ownColumns}
           FROM (SELECT w.id AS "conversationId", (
                   SELECT m.id FROM (${newest}) n JOIN messages m ON m.id = n.id ORDER BY m.created_at DESC LIMIT 1) AS id
                 FROM unnest($1::text[]) AS w (id)) last
           CROSS JOIN LATERAL (SELECT last.id) own ${joinOwn}`,
    values: [ids, 'msg_zzzz'],
  });
  const entries = await ownEntries(keys, rows);
  return rows.map((row, i) => [row.conversationId, entries[i]] as const);
}

async function lastInbound({ pool }: Database, keys: AccountKeys, ids: readonly ConversationId[]) {
  const { rows } = await pool.query<InboundRow & Of>({
    name: 'read-last-inbound',
    text: `SELECT w.id AS "conversationId", ${inboundColumns} FROM unnest($1::text[]) AS w (id) CROSS JOIN LATERAL (
             SELECT i.id FROM conversations c CROSS JOIN LATERAL (
               SELECT m.id FROM inbound_messages m WHERE m.conversation_id = c.id AND m.kind <> 'identified'
               ORDER BY m.id DESC LIMIT 1) i
             WHERE c.id = w.id OR c.alias_of = w.id ORDER BY i.id DESC LIMIT 1) last
           JOIN inbound_messages i ON i.id = last.id JOIN conversations c ON c.id = i.conversation_id`,
    values: [ids],
  });
  const facts = await withWords(keys, rows);
  return rows.map((row, i) => [row.conversationId, facts[i]] as const);
}

/** By conversation; none of them is an alias. A conversation without messages is left out. */
export async function readLastMessages(
  database: Database,
  keys: AccountKeys,
  ids: readonly ConversationId[],
): Promise<ReadonlyMap<ConversationId, ConversationEntry>> {
  const [inbound, own] = await Promise.all([lastInbound(database, keys, ids), lastOwn(database, keys, ids)]);
  const last = new Map<ConversationId, ConversationEntry>();
  for (const [id, facts] of inbound) if (facts !== undefined) last.set(id, { direction: 'inbound', facts });
  for (const [id, entry] of own) {
    const other = last.get(id);
    if (entry !== undefined && (other === undefined || timeOf(entry) > timeOf(other))) last.set(id, entry);
  }
  return last;
}
