import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Radio } from 'lucide-react';
import { useState } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { Select } from '../form/select.js';
import { Switch } from '../form/switch.js';
import { call } from '../http/call.js';
import { queryKey } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { FailureNotice } from '../ui/failure-notice.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { Page } from '../ui/layout/page.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { SkeletonLines } from '../ui/layout/skeleton.js';
import { EventRow } from './event-row.js';
import { eventTexts, nameOfGroup } from './texts.js';
import { groupTypes } from './type-groups.js';
import { type Filter, useLiveEvents } from './use-live-events.js';

export function EventsPage() {
  const t = useTexts(eventTexts);
  const { type, device } = useSearch({ from: '/signed-in/events' });
  const filter: Filter = {
    ...(type === undefined ? {} : { types: type }),
    ...(device === undefined ? {} : { device_id: device }),
  };
  const [live, setLive] = useState(true);
  return (
    <Page
      title={t.title}
      note={t.note}
      actions={
        <Button asChild>
          <Link to="/webhooks">{t.webhooks}</Link>
        </Button>
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <EventFilter />
        <label className="flex min-h-11 cursor-pointer items-center gap-2.5 text-sm font-medium">
          <Switch aria-label={t.live} checked={live} onCheckedChange={setLive} />
          {t.live}
        </label>
      </div>
      <EventList key={`${type ?? ''} ${device ?? ''}`} filter={filter} live={live} />
    </Page>
  );
}

function EventFilter() {
  const t = useTexts(eventTexts);
  const search = useSearch({ from: '/signed-in/events' });
  const navigate = useNavigate({ from: '/events' });
  const devices = useQuery(devicesQuery());
  return (
    <div className="grid w-full grid-cols-1 gap-2 sm:flex sm:w-auto">
      <Select
        className="min-w-0"
        aria-label={t.type}
        value={search.type ?? ''}
        onChange={({ target }) => void navigate({ search: { ...search, type: target.value || undefined } })}
      >
        <option value="">{t.anyType}</option>
        {groupTypes().map(([group, types]) => (
          <optgroup key={group} label={nameOfGroup(group, t.groups)}>
            {types.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      <Select
        className="min-w-0"
        aria-label={t.device}
        value={search.device ?? ''}
        onChange={({ target }) => void navigate({ search: { ...search, device: target.value || undefined } })}
      >
        <option value="">{t.anyDevice}</option>
        {devices.data?.map((device) => (
          <option key={device.device_id} value={device.device_id}>
            {device.name}
          </option>
        ))}
      </Select>
    </div>
  );
}

function usePastEvents(filter: Filter) {
  return useInfiniteQuery({
    queryKey: [...queryKey('listRecentEvents'), filter],
    queryFn: ({ pageParam, signal }) =>
      call('listRecentEvents', { query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) } }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    // The stream continues from the first page. A second reading would begin elsewhere.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

function EventList({ filter, live }: { filter: Filter; live: boolean }) {
  const t = useTexts(eventTexts);
  const list = usePastEvents(filter);
  const start = list.data?.pages[0]?.live_cursor ?? null;
  const { events: fresh, broken } = useLiveEvents(live ? start : null, filter);
  const past = list.data?.pages.flatMap(({ events }) => events) ?? [];
  const known = new Set(fresh.map(({ id }) => id));
  const events = [...fresh, ...past.filter(({ id }) => !known.has(id))];
  const isFiltered = filter.types !== undefined || filter.device_id !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      {live && start !== null && (
        <p role="status" className="text-sm text-ink-soft">
          {broken ? t.broken : t.follows}
        </p>
      )}
      <Panel>
        {list.isPending && <SkeletonLines count={6} />}
        {list.data !== undefined && events.length === 0 && (isFiltered ? <Nothing /> : <NoEvents />)}
        <ul>
          {events.map((event) => (
            <EventRow key={event.id} event={event} />
          ))}
        </ul>
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}

function Nothing() {
  return <p className="px-5 py-12 text-center text-sm text-ink-soft">{useTexts(eventTexts).nothing}</p>;
}

function NoEvents() {
  const t = useTexts(eventTexts);
  return (
    <EmptyState
      picture={
        <RoutePicture>
          <Radio />
        </RoutePicture>
      }
      title={t.emptyTitle}
      actions={
        <Button asChild look="primary">
          <Link to="/send">{t.sendFirst}</Link>
        </Button>
      }
    >
      {t.emptyNote}
    </EmptyState>
  );
}
