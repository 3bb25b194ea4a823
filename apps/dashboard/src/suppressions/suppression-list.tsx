import { suppressionScopes } from '@kurir/contracts/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { BellOff, Search } from 'lucide-react';
import { type SyntheticEvent, useState } from 'react';
import { Field } from '../form/field.js';
import { Input } from '../form/input.js';
import { readPhone } from '../form/read-phone.js';
import { Select } from '../form/select.js';
import { formatPhone } from '../format/phone.js';
import { ApiFailure } from '../http/api-failure.js';
import { useTexts } from '../i18n/texts.js';
import { useMe } from '../session/me.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/layout/empty-state.js';
import { Panel } from '../ui/layout/panel.js';
import { RoutePicture } from '../ui/layout/route-picture.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { useSuppressionColumns } from './suppression-columns.js';
import { type SuppressionFilter, useSuppressions } from './suppression-queries.js';
import { suppressionTexts } from './texts.js';

type Scope = NonNullable<SuppressionFilter['scope']>;

/** The address of the page has the number, so that other pages can link to a person. */
export function SuppressionList({ phone }: { phone: string | undefined }) {
  const t = useTexts(suppressionTexts);
  const [scope, setScope] = useState<Scope | undefined>();
  const list = useSuppressions({
    ...(phone === undefined ? {} : { phone }),
    ...(scope === undefined ? {} : { scope }),
  });
  const columns = useSuppressionColumns(phone);
  const rows = list.data?.pages.flatMap((page) => page.suppressions) ?? [];
  const isWrong = list.error instanceof ApiFailure && list.error.code === 'INVALID_PHONE_NUMBER';
  const isFiltered = phone !== undefined || scope !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <Filters phone={phone} wrong={isWrong} scope={scope} onScope={setScope} />
      {!isFiltered && list.data !== undefined && rows.length === 0 ? (
        <Nobody />
      ) : (
        !isWrong && (
          <PagedTable
            label={t.title}
            empty={phone === undefined ? t.nobody : t.nothing}
            list={list}
            rows={rows}
            idOf={(row) => `${row.phone} ${row.user_id} ${row.scope} ${row.created_at}`}
            columns={columns}
          />
        )
      )}
    </div>
  );
}

type FiltersProps = {
  phone: string | undefined;
  /** The gateway knows that there is no such number. */
  wrong: boolean;
  scope: Scope | undefined;
  onScope: (scope: Scope | undefined) => void;
};

function Filters({ phone, wrong, scope, onScope }: FiltersProps) {
  const t = useTexts(suppressionTexts);
  const { country } = useMe().account;
  const navigate = useNavigate();
  const [text, setText] = useState(phone === undefined ? '' : formatPhone(phone));
  const show = (digits: string) =>
    void navigate({ to: '/suppressions', search: digits === '' ? {} : { phone: digits } });
  const find = (event: SyntheticEvent) => {
    event.preventDefault();
    void readPhone(text, country).then(show);
  };
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
      <form role="search" noValidate className="min-w-0 flex-1 basis-72" onSubmit={find}>
        <Field label={t.search} hint={t.searchHint} error={wrong ? t.wrongNumber : undefined}>
          {(links) => (
            <div className="flex gap-2">
              <Input
                {...links}
                type="search"
                inputMode="tel"
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
              <Button type="submit" className="h-10 sm:h-10">
                <Search aria-hidden className="size-4" />
                {t.find}
              </Button>
            </div>
          )}
        </Field>
        {phone !== undefined && (
          <Button size="small" look="quiet" className="mt-1" onClick={() => show('')}>
            {t.clear}
          </Button>
        )}
      </form>
      <Field label={t.scopeFilter} className="w-full sm:w-56">
        {(links) => (
          <Select
            {...links}
            className="w-full"
            value={scope ?? ''}
            onChange={({ target }) => onScope(suppressionScopes.find((name) => name === target.value))}
          >
            <option value="">{t.anyScope}</option>
            {suppressionScopes.map((name) => (
              <option key={name} value={name}>
                {`${t.scope} ${t.scopes[name]}`}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

function Nobody() {
  const t = useTexts(suppressionTexts);
  return (
    <Panel>
      <EmptyState
        picture={
          <RoutePicture>
            <BellOff />
          </RoutePicture>
        }
        title={t.emptyTitle}
      >
        {t.emptyNote}
      </EmptyState>
    </Panel>
  );
}
