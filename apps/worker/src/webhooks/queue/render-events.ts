/** Renders the events of many pages together. Webhooks of one account share the bodies. */
import { type AccountKeys, type Database, isKnown, type LoggedEvent, showFeed } from '@kurir/database';
import { isSequenced } from './matches.js';

export type RenderedEvent = { readonly id: string; readonly body: string };

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
  const shown = await showFeed(database, accountKeys, known);
  const rendered = new Map<string, RenderedEvent>();
  for (const [i, event] of known.entries()) {
    const body = shown[i];
    if (body !== undefined) rendered.set(keyOf(event), { id: body.id, body: JSON.stringify(body) });
  }
  return { get: (event) => rendered.get(keyOf(event)) ?? null };
}
