import { hash } from 'node:crypto';
import { type MessageId, type Network, networks } from '@kurir/contracts';

/**
 * The id under which the network sees a message: a SHA-256 in the format of the network. It is derived from the
 * message's id, so a message has the same network id in each try and after any crash.
 */
export function networkMessageIdOf(network: Network, messageId: MessageId): string {
  const { prefix, hexDigits } = networks[network].messageId;
  return `${prefix}${hash('sha256', `v1|${messageId}`, 'hex').slice(0, hexDigits).toUpperCase()}`;
}

type KnownMessage = {
  /** Columns of `messages m`. */
  readonly columns: string;
  /** SQL: the device of the message. */
  readonly deviceId?: string;
};

/**
 * SQL: the message that a network knows by an id (an expression), or no row. Only messages that were tried have such an
 * id, and the index holds a hash of it.
 *
 * For several ids, use `LATERAL`, so that each is looked up alone. Joined with a list, Postgres reads all messages
 * until it has analyzed the table, because it expects many rows for each hash. Add no other condition: with an indexed
 * column such as the account, Postgres reads both indexes for each id. `deviceId` is safe, because no full index starts
 * with it.
 */
export const knownAs = (networkMessageId: string, { columns, deviceId }: KnownMessage): string =>
  `SELECT ${columns} FROM messages m WHERE ${deviceId === undefined ? '' : `m.device_id = ${deviceId} AND `}m.attempts > 0
   AND m.network_message_id = ${networkMessageId}
   AND hashtextextended(m.network_message_id, 0) = hashtextextended(${networkMessageId}, 0) LIMIT 1`;
