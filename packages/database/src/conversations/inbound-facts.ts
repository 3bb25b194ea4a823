/** Reads inbound messages, with their words, for events and for the pages of a conversation. */
import type { DeviceId, InboundId, InboundType, MessageId } from '@kurir/contracts';
import type { AccountKeys } from '../accounts/account-keys.js';
import type { Database } from '../postgres/connect.js';
import { type InboundWords, openWords, type SealedRow } from './inbound-contents.js';

export type InboundKind =
  | 'received'
  | 'edited'
  | 'deleted'
  | 'reaction'
  | 'undecryptable'
  | 'sent_elsewhere'
  | 'identified';

export type InboundRow = SealedRow & {
  readonly kind: InboundKind;
  readonly type: InboundType | null;
  readonly deviceId: DeviceId;
  readonly chatType: 'direct' | 'group';
  readonly networkMessageId: string;
  readonly participant: string;
  readonly userId: string | null;
  readonly phone: string | null;
  readonly aboutNetworkId: string | null;
  readonly aboutInboundId: InboundId | null;
  readonly aboutJobId: MessageId | null;
  readonly forwarded: boolean;
  readonly offline: boolean;
  readonly sentAt: Date;
  readonly receivedAt: Date;
};

/** `words` is null when they are erased. */
export type InboundFacts = InboundRow & { readonly words: InboundWords | null };

/** Columns of `inbound_messages i` and its `conversations c`. */
export const inboundColumns = `i.id, i.account_id, i.kind, i.type, i.device_id AS "deviceId", c.type AS "chatType",
  i.network_message_id AS "networkMessageId", i.participant, i.user_id AS "userId", i.phone, i.about_network_id AS "aboutNetworkId",
  i.about_inbound_id AS "aboutInboundId", i.about_job_id AS "aboutJobId", i.forwarded, i.offline, i.key_number, i.sealed,
  i.sent_at AS "sentAt", i.received_at AS "receivedAt"`;

export async function withWords(accountKeys: AccountKeys, rows: readonly InboundRow[]): Promise<InboundFacts[]> {
  const words = await openWords(accountKeys, rows);
  return rows.map((row) => ({ ...row, words: words.get(row.id) ?? null }));
}

export async function readInboundFacts(
  { pool }: Database,
  accountKeys: AccountKeys,
  ids: readonly InboundId[],
): Promise<ReadonlyMap<InboundId, InboundFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await pool.query<InboundRow>({
    name: 'inbound-facts',
    text: `SELECT ${inboundColumns} FROM inbound_messages i JOIN conversations c ON c.id = i.conversation_id
           WHERE i.id = ANY ($1::text[])`,
    values: [ids],
  });
  return new Map((await withWords(accountKeys, rows)).map((row) => [row.id, row]));
}
