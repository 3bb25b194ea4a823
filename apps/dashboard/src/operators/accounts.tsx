import { useDeferredValue, useState } from 'react';
import { usePages } from '../http/use-pages.js';
import { formatCount, formatDay } from '../format/format.js';
import { useLanguage } from '../i18n/language.js';
import { useTexts } from '../i18n/texts.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { Input } from '../form/input.js';
import type { Column } from '../ui/tables/columns.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { AccountSheet } from './account-sheet.js';
import { GrantDialog } from './grant-dialog.js';
import type { Account } from './rows.js';
import { gatewayTexts } from './gateway/texts.js';
import { operatorTexts } from './texts.js';

export function Accounts() {
  const t = useTexts(operatorTexts);
  const [search, setSearch] = useState('');
  const [granting, setGranting] = useState<Account | null>(null);
  const [shown, setShown] = useState<Account | null>(null);
  const list = usePages('adminListAccounts', { q: useDeferredValue(search) });
  return (
    <div className="flex flex-col gap-4">
      <Input
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        className="max-w-md"
        maxLength={64}
      />
      <PagedTable
        label={t.accounts}
        empty={t.noAccounts}
        list={list}
        rows={list.data?.pages.flatMap((page) => page.accounts) ?? []}
        idOf={(row) => row.account_id}
        columns={useColumns({ onLook: setShown, onGrant: setGranting })}
      />
      {shown !== null && <AccountSheet account={shown} onChange={setShown} onClose={() => setShown(null)} />}
      {granting !== null && <GrantDialog account={granting} onClose={() => setGranting(null)} />}
    </div>
  );
}

type Choices = { onLook: (account: Account) => void; onGrant: (account: Account) => void };

function useColumns({ onLook, onGrant }: Choices): Column<Account>[] {
  const t = useTexts(operatorTexts);
  const { look, suspended } = useTexts(gatewayTexts);
  const language = useLanguage();
  return [
    {
      name: 'account',
      header: t.account,
      cell: (row) => (
        <>
          <span className="block font-medium">{row.name}</span>
          {row.suspended_at !== null && <Badge tone="warn">{suspended}</Badge>}
          <code className="text-xs text-ink-faint">{row.account_id}</code>
        </>
      ),
    },
    { name: 'members', header: t.members, numeric: true, cell: (row) => row.members },
    {
      name: 'devices',
      header: t.devices,
      numeric: true,
      cell: (row) => `${row.connected_devices} / ${row.devices}`,
    },
    {
      name: 'messages',
      header: t.messages24,
      numeric: true,
      cell: (row) => formatCount(row.messages_24h, language),
    },
    { name: 'plan', header: t.plan, cell: (row) => row.plan ?? '–' },
    {
      name: 'until',
      header: t.until,
      cell: (row) => (row.expiry_date === null ? '–' : formatDay(row.expiry_date, language)),
    },
    {
      name: 'grant',
      card: 'corner',
      header: <span className="sr-only">{t.grant}</span>,
      numeric: true,
      cell: (row) => (
        <span className="flex justify-end gap-2">
          <Button size="small" onClick={() => onLook(row)} aria-label={`${look}: ${row.name}`}>
            {look}
          </Button>
          <Button size="small" onClick={() => onGrant(row)} aria-label={`${t.grant}: ${row.name}`}>
            {t.grant}
          </Button>
        </span>
      ),
    },
  ];
}
