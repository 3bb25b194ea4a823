/** Follows the feed from a cursor while the page is open. The browser resumes a broken stream with the last id it saw. */
import { type DashboardData, eventTypeNames } from '@kurir/contracts/dashboard';
import { useEffect, useState } from 'react';
import { addressOf } from '../http/call.js';

export type ShownEvent = DashboardData<'listRecentEvents'>['events'][number];
export type Filter = { readonly types?: string; readonly device_id?: string };

/** A page that stays open must not grow for ever. */
const mostEvents = 500;
const reopenAfterMs = 5_000;

/** Newest first. Nothing is followed while `cursor` is null. */
export function useLiveEvents(cursor: string | null, { types = '', device_id = '' }: Filter) {
  const [events, setEvents] = useState<readonly ShownEvent[]>([]);
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (cursor === null) return undefined;
    let last = cursor;
    let source: EventSource;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    const onEvent = ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId;
      const event = JSON.parse(data) as ShownEvent; // the contract's `event`
      setEvents((before) =>
        before.some(({ id }) => id === event.id) ? before : [event, ...before].slice(0, mostEvents),
      );
    };
    const open = () => {
      source = new EventSource(addressOf('listEvents', { query: { after: last, types, device_id } }));
      for (const type of eventTypeNames) source.addEventListener(type, onEvent);
      source.addEventListener('open', () => setBroken(false));
      source.addEventListener('error', () => {
        // A stream ends from time to time, and the browser opens the next one.
        if (source.readyState !== EventSource.CLOSED) return;
        setBroken(true);
        reopening = setTimeout(open, reopenAfterMs);
      });
    };
    open();
    return () => {
      clearTimeout(reopening);
      source.close();
    };
  }, [cursor, types, device_id]);
  return { events, broken };
}
