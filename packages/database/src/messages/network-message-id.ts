import { hash } from 'node:crypto';
import { type MessageId, type Network, networks } from '@kurir/contracts';

/**
 * The id under which the network sees a message: a SHA-256 in the look that the network declares. Derived, so that a message
 * goes out under the same id after any crash.
 */
export function networkMessageIdOf(network: Network, messageId: MessageId): string {
  const { prefix, hexDigits } = networks[network].messageId;
  return `${prefix}${hash('sha256', `v1|${messageId}`, 'hex').slice(0, hexDigits).toUpperCase()}`;
}

type KnownMessage = {
  /** Of `messages m`. */
  readonly columns: string;
  /** SQL: the device that the message must be of. */
  readonly deviceId?: string;
};

/**
 * SQL: the message that a network knows by an id (an expression), or no row. A network knows only what was tried, and only
 * that stands in the index, by a hash of the id. For several ids, ask for each by itself (`LATERAL`): joined with a list, all
 * messages are read until Postgres has analyzed the table, because before that it takes each hash to stand for a
 * two-hundredth of them. Add no other condition: if an indexed column such as the account is also compared, Postgres reads
 * both indexes for each id. `deviceId` is safe, because no full index starts with it.
 */
export const knownAs = (networkMessageId: string, { columns, deviceId }: KnownMessage): string =>
  `SELECT ${columns} FROM messages m WHERE ${deviceId === undefined ? '' : `m.device_id = ${deviceId} AND `}m.attempts > 0
   AND m.network_message_id = ${networkMessageId}
   AND hashtextextended(m.network_message_id, 0) = hashtextextended(${networkMessageId}, 0) LIMIT 1`;
