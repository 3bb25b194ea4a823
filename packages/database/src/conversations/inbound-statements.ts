/**
 * The statements that store a report: its row, its event and the next number of the conversation's events. `$1` is the
 * conversation, whose row the transaction has locked.
 */
import { knownAs } from '../messages/network-message-id.js';

/** Over a conversation `$1`: its own id and those of its aliases. */
export const idsOf = `SELECT id FROM conversations WHERE id = $1 OR alias_of = $1`;

const countedStatement = (changes: string) => `
  counted AS (UPDATE conversations SET event_count = event_count + 1${changes} WHERE id = $1 RETURNING account_id, device_id, event_count)`;

const loggedStatement = (kind: string, inboundId: string) => `
  logged AS (
    INSERT INTO events (account_id, generation, device_id, subject_id, sequence, kind, state)
    SELECT account_id, (SELECT event_generation()), device_id, $1, event_count, ${kind}, ${inboundId} FROM counted)`;

/** A message of ours that the report is about belongs to the conversation from now on. */
const quotedStatement = (about: string, deviceId: string) => `
  quoted AS MATERIALIZED (SELECT m.id FROM (${knownAs(about, { columns: 'm.id', deviceId })}) m),
  linked AS (INSERT INTO conversation_messages (conversation_id, message_id) SELECT $1, id FROM quoted ON CONFLICT DO NOTHING)`;

const aboutInbound = (about: string) => `
  (SELECT i.id FROM inbound_messages i WHERE i.conversation_id IN (${idsOf}) AND i.network_message_id = ${about} ORDER BY i.id LIMIT 1)`;

/** The statement of a new report. The owner's own message says that the owner has read the chat. */
export const storeStatement = `
  WITH ${quotedStatement('$10', '$4')},
  stored AS (
    INSERT INTO inbound_messages (id, account_id, device_id, conversation_id, kind, type, network_message_id, participant, user_id,
      phone, about_network_id, about_inbound_id, about_job_id, forwarded, offline, key_number, sealed, sent_at)
    SELECT $2, $3, $4, $1, $5, $6, $7, $8, $9, $11, $10, ${aboutInbound('$10')}, (SELECT id FROM quoted), $12, $13, $14, $15, $16),
  ${countedStatement(`,
      unread = CASE $5 WHEN 'received' THEN unread + 1 WHEN 'undecryptable' THEN unread + 1 WHEN 'sent_elsewhere' THEN 0 ELSE unread END,
      last_message_at = CASE WHEN $5 IN ('received', 'undecryptable', 'sent_elsewhere') THEN now() ELSE last_message_at END,
      name = CASE WHEN type = 'direct' THEN coalesce($17, name) END`)},
  ${loggedStatement('$18', '$2')}
  SELECT 1`;

/** A count goes no further. */
const newerMost = 1_000;

/**
 * The statement of a report whose first copy was not readable. The unread messages are the newest of the conversation. A
 * message that can be read now is unread again, with those after it. Any other report stops counting as a message.
 */
export const revealStatement = `
  WITH newer AS MATERIALIZED (
    SELECT count(*)::int AS n FROM (
      SELECT FROM inbound_messages i WHERE i.conversation_id IN (${idsOf}) AND i.kind IN ('received', 'undecryptable') AND i.id >= $2
      LIMIT ${newerMost}) i),
  ${quotedStatement('$5', '$9')},
  revealed AS (
    UPDATE inbound_messages SET kind = $3, type = $4, about_network_id = $5, forwarded = $6, key_number = $7, sealed = $8,
      about_inbound_id = ${aboutInbound('$5')}, about_job_id = (SELECT id FROM quoted)
    WHERE id = $2),
  ${countedStatement(`, name = CASE WHEN type = 'direct' THEN coalesce($10, name) END,
      unread = (SELECT CASE WHEN $3 = 'received' THEN greatest(unread, n) WHEN n <= unread THEN unread - 1 ELSE unread END FROM newer)`)},
  ${loggedStatement('$11', '$2')}
  SELECT 1`;

/** One more event about the report `$2`. `$3` is its kind. */
export const tellStatement = `
  WITH ${countedStatement('')},
  ${loggedStatement('$3', '$2')}
  SELECT 1`;

export const identifiedStatement = `
  WITH stored AS (
    INSERT INTO inbound_messages (id, account_id, device_id, conversation_id, kind, network_message_id, participant, user_id, phone, sent_at)
    VALUES ($2, $3, $4, $1, 'identified', $2, '', $5, $6, now())),
  ${countedStatement('')},
  ${loggedStatement(`'contact.identified'`, '$2')}
  SELECT 1`;
