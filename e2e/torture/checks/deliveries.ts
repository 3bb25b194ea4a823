/**
 * Every event of the log must reach each webhook and each reader of the feed that asked for it. One id must always have
 * the same body. An ordered webhook must get the events of one subject in the order of `sequence`; repeats do not count.
 */
import type { Delivery } from '../records/delivery-log.js';
import type { EventRecord, Logged } from '../records/event-record.js';
import { type Finding, finding } from './findings.js';

function findMissing(
  name: 'events_missing_from_the_feed' | 'deliveries_missing',
  logged: readonly Logged[],
  accounts: readonly number[],
  got: readonly Delivery[],
): Finding[] {
  const seen = new Set(got.map(({ account, id }) => `${account} ${id}`));
  return logged
    .filter(({ account, id }) => accounts.includes(account) && !seen.has(`${account} ${id}`))
    .map(({ id, kind }) => finding(name, `${id} (${kind})`));
}

function findOtherBodies(got: readonly Delivery[]): Finding[] {
  const bodies = new Map<string, string>();
  return got.flatMap(({ id, body }) => {
    const first = bodies.get(id) ?? body;
    bodies.set(id, first);
    return first === body ? [] : [finding('different_bodies_under_one_id', id)];
  });
}

/** The sequence of a subject goes on from the backup when one is restored. Then the generation is another one. */
const generationOf = (eventId: string) => eventId.slice(eventId.lastIndexOf('_') + 1);

function findUnordered(ordered: readonly number[], got: readonly Delivery[]): Finding[] {
  const seen = new Set<string>();
  const last = new Map<string, number>();
  return got.flatMap(({ account, id, subjectId, sequence }) => {
    if (!ordered.includes(account) || seen.has(id)) return [];
    seen.add(id);
    const subject = `${subjectId} ${generationOf(id)}`;
    const before = last.get(subject) ?? 0;
    last.set(subject, Math.max(before, sequence));
    return sequence > before ? [] : [finding('deliveries_out_of_order', `${id} came after ${before}`)];
  });
}

/** No cursor expires while the same database goes on. */
export const findExpired = ({ expirations }: EventRecord): Finding[] =>
  expirations.flatMap((count, reader) =>
    count === 0 ? [] : [finding('events_missing_from_the_feed', `the cursor of reader ${reader} expired`)],
  );

export function findWrongDeliveries(record: EventRecord): Finding[] {
  const { logged, before, webhooks, feed } = record;
  const since = logged.filter(({ id }) => !before.has(id));
  return [
    ...findMissing('events_missing_from_the_feed', logged, record.feedAccounts, feed),
    ...findMissing('deliveries_missing', since, record.webhookAccounts, webhooks),
    ...findOtherBodies([...webhooks, ...feed]),
    ...findUnordered(record.orderedAccounts, webhooks),
  ];
}
