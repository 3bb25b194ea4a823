/**
 * Stores what a session reports of people: the row, its event and the contact, in one transaction. The driver
 * acknowledges to the network after it. The network repeats a report after a crash between the two, and the repeat
 * changes nothing. Reports that arrive together share a commit.
 */
import {
  type AccountId,
  type ConversationId,
  type DeviceId,
  type Identified,
  type InboundId,
  type InboundReport,
  newId,
} from '@kurir/contracts';
import type pg from 'pg';
import type { AccountKeys, SealingKeys } from '../accounts/account-keys.js';
import { contactsStatement, type Contact } from '../devices/device-contacts.js';
import { isUnavailable } from '../postgres/connections/unavailable.js';
import { type Database, inTransaction } from '../postgres/connect.js';
import { createGroupCommit, type GroupCommit } from '../postgres/group-commit.js';
import { cleanReport } from './clean-report.js';
import { findConversation, findIdentified, type OpenConversation, type Place } from './find-conversation.js';
import { sealWords } from './inbound-contents.js';
import { identifiedStatement, idsOf, revealStatement, storeStatement } from './inbound-statements.js';
import { type InboundPlace, readPlaces } from './inbound-places.js';
import { applyWish, wishOf } from './opt-out.js';
import { joinSuppressions } from '../suppressions/suppress.js';

export type InboundItem = {
  readonly deviceId: DeviceId;
  readonly report: InboundReport | ({ readonly kind: 'identified' } & Identified);
  /** The network limits messages to new contacts, so the person is noted as a contact. */
  readonly notesContact: boolean;
};

/** `ignored`: the device or its account is being erased, or the report says nothing new. */
export type InboundOutcome = 'stored' | 'repeated' | 'ignored';

const kindOf = {
  message: 'received',
  edited: 'edited',
  deleted: 'deleted',
  reaction: 'reaction',
  undecryptable: 'undecryptable',
  'sent-elsewhere': 'sent_elsewhere',
} as const satisfies Record<InboundReport['kind'], string>;

async function tellIdentified(
  client: pg.PoolClient,
  place: Place,
  { id, userId, phone }: OpenConversation,
  keys: SealingKeys,
): Promise<void> {
  if (userId !== null && phone !== null) await joinSuppressions(client, keys, place.accountId, [userId, phone]);
  const values = [id, newId('inb'), place.accountId, place.deviceId, userId, phone];
  await client.query({ name: 'tell-identified', text: identifiedStatement, values });
}

type Standing = { readonly id: InboundId; readonly kind: string };

async function findStanding(
  client: pg.PoolClient,
  conversationId: ConversationId,
  networkMessageId: string,
  participant: string,
): Promise<Standing | null> {
  const { rows } = await client.query<Standing>({
    name: 'find-standing-report',
    text: `SELECT id, kind FROM inbound_messages
           WHERE conversation_id IN (${idsOf}) AND network_message_id = $2 AND participant = $3 LIMIT 1`,
    values: [conversationId, networkMessageId, participant],
  });
  return rows[0] ?? null;
}

function aboutOf(report: InboundReport): string | null {
  if ('target' in report) return report.target.networkMessageId;
  return 'replyTo' in report ? (report.replyTo?.networkMessageId ?? null) : null;
}

const hasWords = (report: InboundReport): boolean => report.kind !== 'deleted' || report.person?.name !== null;

/** The words of the report in their box, with the number of the key. */
const sealed = (keys: SealingKeys, id: InboundId, report: InboundReport): [number | null, Buffer | null] =>
  hasWords(report) ? [keys.number, sealWords(keys, id, report)] : [null, null];

async function insert(
  client: pg.PoolClient,
  { accountId, deviceId }: Place,
  { id: conversationId, phone }: OpenConversation,
  report: InboundReport,
  keys: SealingKeys,
): Promise<InboundId> {
  const id = newId('inb');
  const kind = kindOf[report.kind];
  const { person, chat } = report;
  await client.query({
    name: 'store-inbound',
    text: storeStatement,
    values: [
      conversationId,
      id,
      accountId,
      deviceId,
      kind,
      'content' in report ? report.content.type : null,
      report.networkMessageId,
      participantOf(report),
      person?.userId ?? null,
      aboutOf(report),
      person?.phone ?? (chat.type === 'direct' ? phone : null),
      'forwarded' in report && report.forwarded,
      report.offline,
      ...sealed(keys, id, report),
      report.sentAt,
      report.kind === 'sent-elsewhere' ? null : (person?.name ?? null),
      `message.${kind}`,
    ],
  });
  return id;
}

/** The first copy was not readable, and its row becomes what it is. */
async function reveal(
  client: pg.PoolClient,
  { deviceId }: Place,
  conversationId: ConversationId,
  id: InboundId,
  report: Exclude<InboundReport, { kind: 'undecryptable' | 'sent-elsewhere' }>,
  keys: SealingKeys,
): Promise<void> {
  const kind = kindOf[report.kind];
  await client.query({
    name: 'reveal-inbound',
    text: revealStatement,
    values: [
      conversationId,
      id,
      kind,
      'content' in report ? report.content.type : null,
      aboutOf(report),
      'forwarded' in report && report.forwarded,
      ...sealed(keys, id, report),
      deviceId,
      report.person.name,
      `message.${kind}`,
    ],
  });
}

/** In a direct chat, the network message id is enough: only two people write there. */
const participantOf = ({ chat, person }: InboundReport): string =>
  chat.type === 'group' ? (person?.userId ?? '') : '';

async function storeReport(
  client: pg.PoolClient,
  place: InboundPlace,
  report: InboundReport,
  keys: SealingKeys,
): Promise<InboundOutcome> {
  const { conversation, identified } = await findConversation(client, place, report.chat, report.person);
  if (identified) await tellIdentified(client, place, conversation, keys);
  const standing = await findStanding(client, conversation.id, report.networkMessageId, participantOf(report));
  if (standing === null) {
    const messageId = await insert(client, place, conversation, report, keys);
    await obey(client, place, conversation, report, messageId, keys);
    return 'stored';
  }
  if (standing.kind !== 'undecryptable') return 'repeated';
  // The owner's own messages have no unreadable copies.
  if (report.kind === 'undecryptable' || report.kind === 'sent-elsewhere') return 'repeated';
  await reveal(client, place, conversation.id, standing.id, report, keys);
  await obey(client, place, conversation, report, standing.id, keys);
  return 'stored';
}

/** The message may be the word by which the person opts out of marketing, or in again. */
async function obey(
  client: pg.PoolClient,
  place: InboundPlace,
  conversation: OpenConversation,
  report: InboundReport,
  messageId: InboundId,
  keys: SealingKeys,
): Promise<void> {
  const wish = wishOf(report, place.optOut);
  if (wish !== null) await applyWish(client, place, conversation, { wish, messageId }, keys);
}

/** The contact that the report makes. The owner's own message makes the other person known too. */
function contactOf({ deviceId, report, notesContact }: InboundItem): Contact[] {
  if (!notesContact) return [];
  if (report.kind === 'identified') return [{ deviceId, recipient: report.phone, direction: 'heard' }];
  const { person, chat } = report;
  if (person === null || chat.type === 'group') return [];
  const direction = report.kind === 'sent-elsewhere' ? 'wrote' : 'heard';
  return [{ deviceId, recipient: person.phone ?? person.userId, direction }];
}

async function storeItem(
  client: pg.PoolClient,
  place: InboundPlace | undefined,
  { report }: InboundItem,
  keys: SealingKeys | undefined,
): Promise<InboundOutcome> {
  if (place === undefined || keys === undefined) return 'ignored';
  if (report.kind !== 'identified') return storeReport(client, place, report, keys);
  const conversation = await findIdentified(client, place, report);
  if (conversation === null) return 'ignored';
  await tellIdentified(client, place, conversation, keys);
  return 'stored';
}

/**
 * Two workers may hold reports of one device while it is handed over. One after the other stores them, so that neither
 * makes the same conversation, and no two wait for each other.
 */
async function lockDevices(client: pg.PoolClient, items: readonly InboundItem[]): Promise<void> {
  await client.query({
    name: 'lock-devices-for-inbound',
    text: `SELECT pg_advisory_xact_lock(key) FROM (
             SELECT DISTINCT hashtextextended('inbound ' || id, 0) AS key FROM unnest($1::text[]) AS t (id) ORDER BY key) keys`,
    values: [items.map(({ deviceId }) => deviceId)],
  });
}

const cleaned = (item: InboundItem): InboundItem =>
  item.report.kind === 'identified' ? item : { ...item, report: cleanReport(item.report) };

/** Stores the reports in their order, all or nothing, and returns their outcomes. */
export async function storeInbound(
  database: Database,
  accountKeys: AccountKeys,
  given: readonly InboundItem[],
): Promise<InboundOutcome[]> {
  const items = given.map(cleaned);
  const places = await readPlaces(
    database,
    items.map(({ deviceId }) => deviceId),
  );
  // A message may have a confirmation, which is sealed too.
  const counts = new Map<AccountId, number>();
  for (const { deviceId } of items) {
    const accountId = places.get(deviceId)?.accountId;
    if (accountId !== undefined) counts.set(accountId, (counts.get(accountId) ?? 0) + 2);
  }
  const keys = await accountKeys.sealing(counts);
  return inTransaction(database.pool, async (client) => {
    await lockDevices(client, items);
    const outcomes: InboundOutcome[] = [];
    const contacts: Contact[] = [];
    for (const item of items) {
      const place = places.get(item.deviceId);
      const outcome = await storeItem(client, place, item, place && keys.get(place.accountId));
      outcomes.push(outcome);
      if (outcome !== 'ignored') contacts.push(...contactOf(item));
    }
    if (contacts.length > 0) await client.query(contactsStatement(contacts));
    return outcomes;
  });
}

export type InboundWriter = GroupCommit<InboundItem, InboundOutcome>;

/**
 * `submit` resolves after the commit. If it rejects, nothing was stored, except perhaps when Postgres was away. `committed`
 * is called after each commit.
 */
export function createInboundWriter(
  database: Database,
  accountKeys: AccountKeys,
  committed: () => void = () => undefined,
): InboundWriter {
  return createGroupCommit({
    maxItems: 64,
    writers: 1,
    maxWaiting: 20_000,
    commit: async (items: readonly InboundItem[]) => {
      const outcomes = await storeInbound(database, accountKeys, items);
      committed();
      return outcomes;
    },
    isItemFault: (error) => !isUnavailable(error),
  });
}
