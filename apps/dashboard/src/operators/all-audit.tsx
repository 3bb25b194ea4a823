import { usePages } from '../http/use-pages.js';
import { type AuditEntry, useAuditColumns } from '../accounts/audit/audit-columns.js';
import { shortenId } from '../format/format.js';
import { useTexts } from '../i18n/texts.js';
import type { Column } from '../ui/tables/columns.js';
import { PagedTable } from '../ui/tables/paged-table.js';
import { operatorTexts } from './texts.js';

type Row = AuditEntry & { account_id: string | null };

export function AllAudit() {
  const t = useTexts(operatorTexts);
  const list = usePages('adminListAudit');
  const account: Column<Row> = {
    name: 'account',
    header: t.account,
    cell: ({ account_id: id }) => (id === null ? '–' : <code title={id}>{shortenId(id)}</code>),
  };
  const columns: Column<Row>[] = [...useAuditColumns(), account];
  return (
    <PagedTable
      label={t.audit}
      empty={t.noAudit}
      list={list}
      rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
      idOf={(row) => row.entry_id}
      columns={columns}
    />
  );
}
