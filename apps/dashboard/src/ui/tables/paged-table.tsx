import { defineTexts, useTexts } from '../../i18n/texts.js';
import { Button } from '../button.js';
import type { Column } from './columns.js';
import { DataTable } from './data-table.js';
import { FailureNotice } from '../failure-notice.js';
import { Panel } from '../layout/panel.js';
import { SkeletonLines } from '../layout/skeleton.js';

const texts = defineTexts({ more: 'Load more' }, { more: 'Muat lagi' });

type Paged = {
  error: Error | null;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
};
type PagedTableProps<Row> = {
  label: string;
  empty: string;
  list: Paged;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
};

export function PagedTable<Row>({ label, empty, list, rows, columns, idOf }: PagedTableProps<Row>) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col gap-4">
      <FailureNotice failure={list.error} onRetry={list.refetch} />
      <Panel>
        {list.isPending && <SkeletonLines count={4} />}
        {!list.isPending && list.error === null && rows.length === 0 && (
          <p className="px-5 py-12 text-center text-sm text-ink-soft">{empty}</p>
        )}
        {rows.length > 0 && <DataTable label={label} rows={rows} columns={columns} idOf={idOf} />}
      </Panel>
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t.more}
        </Button>
      )}
    </div>
  );
}
