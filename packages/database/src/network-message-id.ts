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

/**
 * SQL: a network knows the message `m` by this id, an expression. It knows only what was tried, and only that stands in the
 * index, by a hash of the id. The caller asks for each id by itself (`LATERAL … LIMIT 1`; no two messages of ours have the same),
 * and compares whose it is: joined with a list, all messages are read for it until Postgres has analyzed the table, because
 * before that it takes each hash to stand for a two-hundredth of them. For the same reason nothing beside it in that `LATERAL` may
 * have an index of its own (the account has): Postgres would read through both for each id.
 */
export const isKnownAs = (networkMessageId: string): string =>
  `m.attempts > 0 AND m.network_message_id = ${networkMessageId}
   AND hashtextextended(m.network_message_id, 0) = hashtextextended(${networkMessageId}, 0)`;
