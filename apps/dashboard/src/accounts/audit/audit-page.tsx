import { usePages } from '../../http/use-pages.js';
import { useTexts } from '../../i18n/texts.js';
import { Page } from '../../ui/layout/page.js';
import { PagedTable } from '../../ui/tables/paged-table.js';
import { useAuditColumns } from './audit-columns.js';
import { auditTexts } from './texts.js';

export function AuditPage() {
  const t = useTexts(auditTexts);
  const list = usePages('listAudit');
  const columns = useAuditColumns();
  return (
    <Page title={t.title} note={t.note}>
      <PagedTable
        label={t.title}
        empty={t.empty}
        list={list}
        rows={list.data?.pages.flatMap((page) => page.entries) ?? []}
        idOf={(row) => row.entry_id}
        columns={columns}
      />
    </Page>
  );
}
