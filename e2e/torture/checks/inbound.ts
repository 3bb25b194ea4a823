/**
 * Each message that people wrote must have exactly one row and one event, under whatever id the network repeated it.
 * Receivers of webhooks and readers of the feed must get it under one id, with the words that were written.
 */
import type { Delivery } from '../records/delivery-log.js';
import { hashOf } from '../records/delivery-log.js';
import type { InboundRecord, Interruption, Kept, Written } from '../records/inbound-record.js';
import { type Finding, finding } from './findings.js';
import { groupBy } from './group-by.js';

function judgeRows({ networkMessageId, deviceId, isAcknowledged }: Written, rows: readonly Kept[]): Finding[] {
  const what = `${networkMessageId} to ${deviceId}`;
  const events = rows.reduce((sum, row) => sum + row.events, 0);
  const lost = (why: string) => [finding('inbound_lost', `${what}, ${isAcknowledged ? 'acknowledged, ' : ''}${why}`)];
  if (rows.length === 0) return lost('has no row');
  if (events === 0) return lost('has no event');
  if (rows.length === 1 && events === 1) return [];
  return [finding('inbound_twice', `${what} has ${rows.length} rows and ${events} events`)];
}

function judgeDeliveries({ networkMessageId, text }: Written, got: readonly Delivery[]): Finding[] {
  const isOther = got.some(({ letter }) => letter?.text !== hashOf(text));
  // Each account is one customer.
  const ids = [...groupBy(got, ({ account }) => String(account)).values()].map(
    (ofAccount) => new Set(ofAccount.map(({ id }) => id)),
  );
  return [
    ...(isOther ? [finding('inbound_lost', `${networkMessageId} arrived with other words`)] : []),
    ...(ids.some(({ size }) => size > 1)
      ? [finding('inbound_twice', `${networkMessageId} arrived under several ids`)]
      : []),
  ];
}

export function findWrongInbound({ written, kept }: InboundRecord, got: readonly Delivery[]): Finding[] {
  const rows = groupBy(kept, ({ networkMessageId, deviceId }) => `${deviceId} ${networkMessageId}`);
  const deliveries = groupBy(got, ({ letter }) => letter?.networkMessageId ?? '');
  return written.flatMap((message) => [
    ...judgeRows(message, rows.get(`${message.deviceId} ${message.networkMessageId}`) ?? []),
    ...judgeDeliveries(message, deliveries.get(message.networkMessageId) ?? []),
  ]);
}

/** The connections of a killed process end within this time. */
const killedWithinMs = 1_000;

/** How many kills hit a worker while it had messages that it had not acknowledged. */
export const countKillsInFlight = (kills: readonly number[], interruptions: readonly Interruption[]): number =>
  kills.filter((kill) => interruptions.some(({ at }) => Math.abs(at - kill) < killedWithinMs)).length;
