import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search as SearchIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { devicesQuery } from '../devices/device-queries.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { Input } from '../form/input.js';
import { Select } from '../form/select.js';
import { isFiltered, type Search, type Span, shownStatuses } from './filters.js';
import { statusTexts } from './status.js';
import { messageTexts } from './texts.js';

const typingPauseMs = 250;

export function FilterBar() {
  const t = useTexts(messageTexts);
  const statuses = useTexts(statusTexts);
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const devices = useQuery(devicesQuery());
  const change = (part: Search) => void navigate({ search: { ...search, ...part, job: undefined }, replace: true });
  const spanNames: Record<Span, string> = { hour: t.hour, day: t.day, week: t.week };
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField value={search.q ?? ''} onChange={(q) => change({ q: q || undefined })} />
      <Select
        className="col-span-2 min-w-0"
        aria-label={t.device}
        value={search.device ?? ''}
        onChange={(event) => change({ device: event.target.value || undefined })}
      >
        <option value="">{t.anyDevice}</option>
        {devices.data?.map((device) => (
          <option key={device.device_id} value={device.device_id}>
            {device.name}
          </option>
        ))}
      </Select>
      <Select
        className="min-w-0"
        aria-label={t.status}
        value={search.status ?? ''}
        onChange={(event) => change({ status: event.target.value || undefined })}
      >
        <option value="">{t.anyStatus}</option>
        {shownStatuses.map((status) => (
          <option key={status} value={status}>
            {statuses[status]}
          </option>
        ))}
      </Select>
      <Select
        className="min-w-0"
        aria-label={t.time}
        value={search.since ?? ''}
        onChange={(event) => change({ since: event.target.value || undefined })}
      >
        <option value="">{t.anyTime}</option>
        {(['hour', 'day', 'week'] as const satisfies Span[]).map((span) => (
          <option key={span} value={span}>
            {spanNames[span]}
          </option>
        ))}
      </Select>
      {isFiltered(search) && (
        <Button asChild look="quiet" size="small" className="col-span-2">
          <Link to="/messages" search={{}}>
            {t.clear}
          </Link>
        </Button>
      )}
    </div>
  );
}

function SearchField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const t = useTexts(messageTexts);
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), typingPauseMs);
    return () => clearTimeout(timer);
    // Only new text starts the pause: a new `onChange` must not start it again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text]);
  return (
    <span className="relative col-span-2 flex-1 sm:min-w-56 sm:basis-64">
      <SearchIcon aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-faint" />
      <Input
        type="search"
        aria-label={t.searchLabel}
        placeholder={t.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="pl-9"
        maxLength={64}
      />
    </span>
  );
}
