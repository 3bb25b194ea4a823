/**
 * Erases messages: their recipients, references and texts. The rows stay for quota and reports. Messages that wait are
 * cancelled first, and their quota comes back. A message in `sending` stays as it is; the caller waits for its end and
 * runs again. A second run finds nothing left. No statement takes long, however many messages there are.
 */
import { type AccountId, newId } from '@kurir/contracts';
import { erasedRecipient } from '../messages/new-message.js';
import { refScopesOf } from '../messages/request-keys.js';
import { moveColumns, writeMoves } from '../messages/write-status.js';
import { againAfterDeadlock, type Database } from '../postgres/connect.js';

/** Null means all. */
export type WhichMessages = { readonly recipient: string | null; readonly accountId: AccountId | null };

export type MessageCount = {
  readonly messages: number;
  /** These are being sent now. */
  readonly sending: number;
};

const lookedAtOnce = 5_000;

/** Over `messages m`. */
const isLeft = `(m.recipient <> '${erasedRecipient}' OR m.body <> '' OR m.client_ref IS NOT NULL)`;
/** Over `messages m`: something of it can still be erased. `$3` is the recipient and `$4` the account. */
const isChosen = `($3::text IS NULL OR m.recipient = $3) AND ($4::text IS NULL OR m.account_id = $4) AND ${isLeft}`;

/** A slice of messages after `$1` and before `$2`, oldest first. */
type Source = { readonly name: string; readonly first: string; readonly text: string };

const columns = 'id, account_id, recipient, body, client_ref, stage';
/** An index by recipient would make each accepted message slower. */
const byId: Source = {
  name: 'find-erasable',
  first: '',
  text: `SELECT ${columns}, id AS position FROM messages WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${lookedAtOnce}`,
};
const byAccount: Source = {
  name: 'find-erasable-of-account',
  first: '0',
  text: `SELECT ${columns}, seq AS position FROM messages
         WHERE account_id = $4 AND seq > $1::bigint AND id < $2 ORDER BY seq LIMIT ${lookedAtOnce}`,
};
const sourceOf = ({ accountId }: WhichMessages) => (accountId === null ? byId : byAccount);

type Slice = { looked: number; last: string | null; chosen: string[]; sending: number };

const findIn = ({ text }: Source) => `
  WITH looked AS MATERIALIZED (${text})
  SELECT count(*)::int AS looked, max(position)::text AS last,
    coalesce(array_agg(id) FILTER (WHERE ${isChosen}), '{}') AS chosen,
    (count(*) FILTER (WHERE ${isChosen} AND m.stage = 1))::int AS sending
  FROM looked m`;

/** A cancelled message must have had no try without an answer. Otherwise it may have gone out. */
const endWaiting = `
  SELECT ${moveColumns({
    id: 'm.id',
    to: `CASE WHEN m.unanswered = 0 THEN 'cancelled' ELSE 'unknown' END`,
    reason: `CASE WHEN m.unanswered > 0 THEN 'no_answer' END`,
  })}
  FROM messages m WHERE m.id = ANY ($1::text[]) AND m.stage = 0`;

const eraseEnded = `
  WITH old AS MATERIALIZED (
    SELECT m.id, m.account_id, m.client_ref FROM messages m
    WHERE m.id = ANY ($1::text[]) AND m.stage = 2 AND ${isLeft} ORDER BY m.id FOR NO KEY UPDATE),
  contents AS (DELETE FROM message_contents c USING old WHERE c.message_id = old.id COLLATE "C"),
  keys AS (DELETE FROM request_keys k USING old WHERE k.scope = ANY (${refScopesOf('old.account_id')}) AND k.value = convert_to(old.client_ref, 'UTF8'))
  UPDATE messages m SET recipient = '${erasedRecipient}', body = '', client_ref = NULL FROM old WHERE m.id = old.id`;

/** An id later than that of any message until now, also of an api whose clock is ahead. */
const laterThanNow = () => newId('msg', Date.now() + 60_000);

async function* slices({ pool }: Database, which: WhichMessages, from: string): AsyncGenerator<Slice> {
  const source = sourceOf(which);
  const before = laterThanNow();
  for (let after = from; ; ) {
    const values = [after, before, which.recipient, which.accountId];
    const { rows } = await pool.query<Slice>({ name: source.name, text: findIn(source), values });
    const [found] = rows;
    if (found === undefined) return;
    yield found;
    if (found.last === null || found.looked < lookedAtOnce) return;
    after = found.last;
  }
}

/** Counts messages that `eraseMessages` would change. */
export async function countErasableMessages(database: Database, which: WhichMessages): Promise<MessageCount> {
  let [messages, sending] = [0, 0];
  for await (const found of slices(database, which, sourceOf(which).first)) {
    messages += found.chosen.length;
    sending += found.sending;
  }
  return { messages, sending };
}

/** A request that began before the pass may commit a message this much later. */
const lateMs = 15 * 60_000;

/**
 * Erases messages that were accepted before the call. A second, short pass finds those that were committed while the
 * first one ran. `sending` of the result are those that still stand.
 */
export async function eraseMessages(
  database: Database,
  which: WhichMessages,
  onProgress: (erased: number) => void = () => undefined,
): Promise<MessageCount> {
  const { first } = sourceOf(which);
  const late = which.accountId === null ? newId('msg', Date.now() - lateMs) : first;
  let messages = 0;
  for (const from of [first, late])
    for await (const { chosen } of slices(database, which, from)) {
      if (chosen.length === 0) continue;
      await writeMoves(database.pool, 'end-erased', endWaiting, [chosen]);
      messages += await eraseNow(database, chosen);
      onProgress(messages);
    }
  return { messages, sending: await countSending(database, which) };
}

async function eraseNow({ pool }: Database, ids: readonly string[]): Promise<number> {
  const statement = { name: 'erase-messages', text: eraseEnded, values: [ids] };
  const { rowCount } = await againAfterDeadlock(() => pool.query(statement));
  return rowCount ?? 0;
}

/** Counts messages that are being sent now. Their index is small. */
export async function countSending({ pool }: Database, which: WhichMessages): Promise<number> {
  const { rows } = await pool.query<{ n: number }>({
    name: 'count-sending',
    text: `SELECT count(*)::int AS n FROM messages m WHERE m.stage = 1
             AND ($1::text IS NULL OR m.recipient = $1) AND ($2::text IS NULL OR m.account_id = $2)`,
    values: [which.recipient, which.accountId],
  });
  return rows[0]?.n ?? 0;
}
