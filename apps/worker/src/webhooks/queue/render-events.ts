/** Renders the events of many pages together. Webhooks of one account share the bodies. */
import { type AccountKeys, type Database, isKnown, type LoggedEvent, showTracedEvents } from '@kurir/database';
import { isSequenced } from './matches.js';
import type { QueuedEvent } from './queued-event.js';

export type RenderedEvent = Pick<QueuedEvent, 'id' | 'body' | 'traceparent'>;

export type RenderedEvents = {
  /** Null: this version does not know the type of the event. */
  get(event: LoggedEvent): RenderedEvent | null;
};

const keyOf = ({ accountId, position: { generation, xid, seq } }: LoggedEvent) =>
  `${accountId} ${generation} ${xid} ${seq}`;

export async function renderEvents(
  database: Database,
  accountKeys: AccountKeys,
  events: readonly LoggedEvent[],
): Promise<RenderedEvents> {
  const known = [...new Map(events.map((event) => [keyOf(event), event])).values()].filter(isSequenced).filter(isKnown);
  const traced = await showTracedEvents(database, accountKeys, known);
  const rendered = new Map<string, RenderedEvent>();
  for (const [i, event] of known.entries()) {
    const one = traced[i];
    if (one === undefined) continue;
    const { shown, traceparent } = one;
    rendered.set(keyOf(event), { id: shown.id, body: JSON.stringify(shown), traceparent });
  }
  return { get: (event) => rendered.get(keyOf(event)) ?? null };
}
