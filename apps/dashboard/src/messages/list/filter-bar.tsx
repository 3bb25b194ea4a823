import { messagePriorities } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { devicesQuery } from '../../devices/device-queries.js';
import { Choice } from '../../form/filters/choice.js';
import { SearchField } from '../../form/filters/search-field.js';
import { SpanFields } from '../../form/filters/span-fields.js';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { reasonTexts } from '../reasons.js';
import { statusTexts } from '../status.js';
import { messageTexts } from '../texts.js';
import { hasMore, isFiltered, type Search, shownReasons, shownStatuses } from './filters.js';
import { SavedFilters } from './saved-filters-bar.js';
import { listTexts } from './texts.js';
import { useBroadcastNames } from './use-broadcast-names.js';

export function FilterBar() {
  const t = useTexts(messageTexts);
  const l = useTexts(listTexts);
  const statuses = useTexts(statusTexts);
  const search = useSearch({ from: '/signed-in/messages' });
  const navigate = useNavigate({ from: '/messages' });
  const devices = useQuery(devicesQuery());
  const [wantsMore, setWantsMore] = useState(false);
  const change = (part: Search) => void navigate({ search: { ...search, ...part, job: undefined }, replace: true });
  const showsMore = wantsMore || hasMore(search);
  return (
    <div className="flex flex-col gap-2">
      <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <SearchField
          label={t.searchLabel}
          placeholder={t.search}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q || undefined })}
        />
        <Choice
          className="col-span-2"
          label={t.device}
          any={t.anyDevice}
          value={search.device}
          options={devices.data?.map(({ device_id: id, name }) => [id, name]) ?? []}
          onChange={(device) => change({ device })}
        />
        <Choice
          label={t.status}
          any={t.anyStatus}
          value={search.status}
          options={shownStatuses.map((status) => [status, statuses[status]])}
          onChange={(status) => change({ status })}
        />
        <SpanFields label={t.time} value={search} onChange={change} />
        <Button look="quiet" size="small" aria-expanded={showsMore} onClick={() => setWantsMore(!wantsMore)}>
          {l.moreFilters}
        </Button>
        <SavedFilters search={search} />
        {isFiltered(search) && (
          <Button asChild look="quiet" size="small" className="col-span-2">
            <Link to="/messages" search={{}}>
              {t.clear}
            </Link>
          </Button>
        )}
      </div>
      {showsMore && <MoreFilters search={search} onChange={change} />}
    </div>
  );
}

type MoreFiltersProps = { search: Search; onChange: (part: Search) => void };

function MoreFilters({ search, onChange }: MoreFiltersProps) {
  const l = useTexts(listTexts);
  const reasons = useTexts(reasonTexts);
  const broadcasts = useBroadcastNames(true);
  const keys = useQuery(readQuery('listKeys', {}));
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <Choice
        label={l.broadcast}
        any={l.anyBroadcast}
        value={search.broadcast}
        options={[...broadcasts]}
        onChange={(broadcast) => onChange({ broadcast })}
      />
      <Choice
        label={l.priority}
        any={l.anyPriority}
        value={search.priority}
        options={messagePriorities.map((priority) => [priority, priority])}
        onChange={(priority) => onChange({ priority })}
      />
      <Choice
        label={l.key}
        any={l.anyKey}
        value={search.key}
        options={keys.data?.keys.map(({ api_key: key, name }) => [key, name]) ?? []}
        onChange={(key) => onChange({ key })}
      />
      <Choice
        label={l.reason}
        any={l.anyReason}
        value={search.reason}
        options={shownReasons.map((reason) => [reason, reasons[reason]])}
        onChange={(reason) => onChange({ reason })}
        className="sm:max-w-72"
      />
    </div>
  );
}
