/**
 * The messages of a conversation in both directions, newest first. Inbound messages and our own have ids that begin with
 * the time, so both lists merge by the part after the prefix.
 */
import type { ConversationId } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { type InboundFacts, type InboundRow, inboundColumns, withWords } from './inbound-facts.js';
import { idsOf } from './inbound-statements.js';
import { joinOwn, ownColumns, ownEntries, ownIds, type OwnMessage, type OwnRow } from './own-messages.js';

export type ConversationEntry =
  | { readonly direction: 'inbound'; readonly facts: InboundFacts }
  | { readonly direction: 'outbound'; readonly message: OwnMessage };

export type ConversationPage = {
  readonly entries: readonly ConversationEntry[];
  readonly nextCursor: string | null;
};

const prefixLength = 'inb_'.length;
const placeOf = (id: string): string => id.slice(prefixLength);
/** Greater than each place. */
const latest = 'zzzz';

async function readInbound({ pool }: Database, keys: AccountKeys, id: ConversationId, before: string, limit: number) {
  const { rows } = await pool.query<InboundRow>({
    name: 'read-inbound-of-conversation',
    text: `SELECT ${inboundColumns} FROM conversations c CROSS JOIN LATERAL (
             SELECT * FROM inbound_messages m WHERE m.conversation_id = c.id AND m.id < $2 AND m.kind <> 'identified'
             ORDER BY m.id DESC LIMIT $3) i
           WHERE c.id IN (${idsOf}) ORDER BY i.id DESC LIMIT $3`,
    values: [id, `inb_${before}`, limit],
  });
  return (await withWords(keys, rows)).map((facts) => ({ direction: 'inbound', facts }) as const);
}

async function readOwn({ pool }: Database, keys: AccountKeys, id: ConversationId, before: string, limit: number) {
  const { rows } = await pool.query<OwnRow>({
    name: 'read-own-of-conversation',
    text: `SELECT ${ownColumns} FROM (${ownIds({ conversation: '$1', before: '$2', limit: '$3' })}) own ${joinOwn} ORDER BY m.id DESC`,
    values: [id, `msg_${before}`, limit],
  });
  return ownEntries(keys, rows);
}

const idOf = (entry: ConversationEntry): string => (entry.direction === 'inbound' ? entry.facts.id : entry.message.id);

/** The id of a broadcast's message begins with the time of its round, which may be hours before its release. */
export const timeOf = (entry: ConversationEntry): number =>
  (entry.direction === 'inbound' ? entry.facts.receivedAt : entry.message.createdAt).getTime();

/** `id` is not an alias. A page holds the next messages by id, in the order of time. */
export async function readConversationMessages(
  database: Database,
  keys: AccountKeys,
  id: ConversationId,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | null },
): Promise<ConversationPage> {
  const before = cursor ?? latest;
  const [inbound, own] = await Promise.all([
    readInbound(database, keys, id, before, limit + 1),
    readOwn(database, keys, id, before, limit + 1),
  ]);
  const all: ConversationEntry[] = [...inbound, ...own];
  const sorted = all.toSorted((a, b) => (placeOf(idOf(a)) < placeOf(idOf(b)) ? 1 : -1));
  const page = sorted.slice(0, limit);
  const last = page.at(-1);
  const entries = page.toSorted((a, b) => timeOf(b) - timeOf(a));
  return { entries, nextCursor: sorted.length > limit && last !== undefined ? placeOf(idOf(last)) : null };
}
