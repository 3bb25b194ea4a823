import { auditGroups } from '@kurir/contracts/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../../form/filters/choice.js';
import { SearchField } from '../../form/filters/search-field.js';
import { SpanFields } from '../../form/filters/span-fields.js';
import { readQuery } from '../../http/query.js';
import { useTexts } from '../../i18n/texts.js';
import { Button } from '../../ui/button.js';
import { type AuditSearch, isFiltered } from './filters.js';
import { auditTexts, groupTexts } from './texts.js';

/** Members and keys, by name. An actor of another kind comes from a link. */
function useActors(keyCalled: (name: string) => string): readonly (readonly [id: string, name: string])[] {
  const members = useQuery(readQuery('listMembers', {}));
  const keys = useQuery(readQuery('listKeys', {}));
  return [
    ...(members.data?.members.map(({ user_id: id, name }) => [id, name] as const) ?? []),
    ...(keys.data?.keys.map(({ api_key: id, name }) => [id, keyCalled(name)] as const) ?? []),
  ];
}

export function AuditFilterBar() {
  const t = useTexts(auditTexts);
  const groups = useTexts(groupTexts);
  const search = useSearch({ from: '/signed-in/audit' });
  const navigate = useNavigate({ from: '/audit' });
  const actors = useActors(t.key);
  const change = (part: AuditSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  return (
    <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
      <SearchField
        label={t.subjectLabel}
        placeholder={t.subjectHint}
        value={search.subject ?? ''}
        onChange={(subject) => change({ subject: subject || undefined })}
      />
      <Choice
        label={t.group}
        any={t.anyGroup}
        value={search.group}
        options={auditGroups.map((group) => [group, groups[group]])}
        onChange={(group) => change({ group })}
      />
      <Choice
        label={t.actor}
        any={t.anyActor}
        value={search.actor}
        options={actors}
        onChange={(actor) => change({ actor })}
        className="sm:max-w-56"
      />
      <SpanFields label={t.time} value={search} onChange={change} />
      {isFiltered(search) && (
        <Button asChild look="quiet" size="small" className="col-span-2">
          <Link to="/audit" search={{}}>
            {t.clear}
          </Link>
        </Button>
      )}
    </div>
  );
}
