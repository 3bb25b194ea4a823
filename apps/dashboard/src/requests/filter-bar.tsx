import { requestOutcomes } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../form/filters/choice.js';
import { SearchField } from '../form/filters/search-field.js';
import { readQuery } from '../http/query.js';
import { useTexts } from '../i18n/texts.js';
import { Button } from '../ui/button.js';
import { errorCodes, isFiltered, type RequestSearch } from './filters.js';
import { operations } from './operations.js';
import { outcomeTexts, requestTexts } from './texts.js';

export function RequestFilterBar() {
  const t = useTexts(requestTexts);
  const outcomes = useTexts(outcomeTexts);
  const search = useSearch({ from: '/signed-in/requests' });
  const navigate = useNavigate({ from: '/requests' });
  const keys = useQuery(readQuery('listKeys', {}));
  const change = (part: RequestSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField
        label={t.requestId}
        placeholder={t.search}
        value={search.request ?? ''}
        onChange={(request) => change({ request: request || undefined })}
      />
      <Choice
        label={t.key}
        any={t.anyKey}
        value={search.key}
        options={keys.data?.keys.map(({ api_key: key, name }) => [key, name]) ?? []}
        onChange={(key) => change({ key })}
        className="sm:max-w-56"
      />
      <Choice
        label={t.outcome}
        any={t.anyOutcome}
        value={search.outcome}
        options={requestOutcomes.map((outcome) => [outcome, outcomes[outcome]])}
        onChange={(outcome) => change({ outcome })}
      />
      <Choice
        label={t.operation}
        any={t.anyOperation}
        value={search.operation}
        options={operations}
        onChange={(operation) => change({ operation })}
        className="sm:max-w-56"
      />
      <Choice
        label={t.code}
        any={t.anyCode}
        value={search.code}
        options={errorCodes.map((code) => [code, code])}
        onChange={(code) => change({ code })}
        className="sm:max-w-56"
      />
      {isFiltered(search) && (
        <Button asChild look="quiet" size="small" className="col-span-2">
          <Link to="/requests" search={{}}>
            {t.clear}
          </Link>
        </Button>
      )}
    </div>
  );
}
